import type { WebSocket } from 'ws';

/** Bytes that may wait in a socket, and how long it may stand still with messages waiting, in ms. */
export interface SendLimits {
  unsentBytes: number;
  stillMs: number;
}

const defaults: SendLimits = { unsentBytes: 1024 * 1024, stillMs: 10_000 };
/** A socket that is closed for slowness is cut when it has not said goodbye by then. */
const goodbyeMs = 5_000;

interface Flow {
  pending: number;
  /** When a message was last handed to the system, or began to wait. */
  movedAt: number;
}

/**
 * Closes sockets 1013 whose reader is too slow: more than 1 MiB unsent, or a message pending over 10 s with none handed to the system. The
 * client comes back and reads on from where it was. One timer looks at all.
 */
export function createSendWatch(limits: SendLimits = defaults) {
  const flows = new Map<WebSocket, Flow>();
  const timer = setInterval(
    () => {
      const now = Date.now();
      for (const [socket, flow] of flows)
        if (flow.pending > 0 && now - flow.movedAt > limits.stillMs) closeSlow(socket);
    },
    Math.min(1_000, limits.stillMs),
  );
  timer.unref();

  return {
    watch(socket: WebSocket): void {
      const flow: Flow = { pending: 0, movedAt: 0 };
      flows.set(socket, flow);
      socket.once('close', () => flows.delete(socket));
      const send = socket.send.bind(socket) as (data: string, done: (error?: Error) => void) => void;
      const watched = (data: string, done?: (error?: Error) => void) => {
        if (flow.pending++ === 0) flow.movedAt = Date.now();
        send(data, (error) => {
          flow.pending--;
          flow.movedAt = Date.now();
          done?.(error);
        });
        if (socket.bufferedAmount > limits.unsentBytes) closeSlow(socket);
      };
      socket.send = watched as WebSocket['send'];
    },
    stop: () => clearInterval(timer),
  };
}

function closeSlow(socket: WebSocket): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.close(1013, 'Too slow');
  setTimeout(() => socket.terminate(), goodbyeMs).unref();
}
