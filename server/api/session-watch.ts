import type { WebSocket } from 'ws';
import type { Accounts } from '../application/accounts/accounts.js';
import type { Logger } from '../application/ports.js';

/** How often living sockets' sessions are looked at, in ms: one statement for all. A wake-up makes it sooner. */
const lookMs = 2_000;

/** Knows which socket belongs to which session, and closes those whose session has ended, on whichever server that happened. */
export function createSessionWatch(
  accounts: Pick<Accounts, 'findEndedSessions' | 'forgetSession'>,
  logger: Logger,
) {
  const sockets = new Map<string, Set<WebSocket>>();
  const close = (sessionId: string) => {
    accounts.forgetSession(sessionId);
    for (const socket of sockets.get(sessionId) ?? []) socket.close(4403, 'Session ended');
  };
  let isLooking = false;
  const look = async () => {
    if (isLooking || sockets.size === 0) return;
    isLooking = true;
    try {
      for (const ended of await accounts.findEndedSessions([...sockets.keys()])) close(ended);
    } catch (error) {
      logger.warn({ err: error }, 'the sessions of open sockets could not be looked at');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookMs);
  return {
    add(sessionId: string, socket: WebSocket): void {
      sockets.set(sessionId, (sockets.get(sessionId) ?? new Set()).add(socket));
    },
    remove(sessionId: string, socket: WebSocket): void {
      const open = sockets.get(sessionId);
      open?.delete(socket);
      if (open?.size === 0) sockets.delete(sessionId);
    },
    close,
    stop: () => clearInterval(timer),
  };
}
