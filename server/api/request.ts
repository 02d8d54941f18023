import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Accounts, Identity } from '../application/accounts/accounts.js';

const idForm = /^[\w-]{8,64}$/;

/** The caller's own request id when it is one, else a fresh one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && idForm.test(given) ? given : randomUUID();
}

/** The trace id of a `traceparent` header (W3C Trace Context, version 00), else a fresh one. */
export function traceIdOf(request: IncomingMessage): string {
  const given = request.headers['traceparent'];
  const traceId =
    typeof given === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(given)?.[1] : undefined;
  return traceId && !/^0+$/.test(traceId) ? traceId : randomBytes(16).toString('hex');
}

/** The token of `Authorization: Bearer …`, or of the same text in connection_init; null when there is none. */
export const bearerOf = (authorization: unknown): string | null =>
  typeof authorization === 'string' ? (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null) : null;

/** Who asks. `fault` is why that could not be looked up. Nobody is told why a token is not good. */
export async function identify(
  accounts: Pick<Accounts, 'identify'>,
  authorization: unknown,
): Promise<{ identity: Identity | null; fault: unknown }> {
  const token = bearerOf(authorization);
  if (token === null) return { identity: null, fault: null };
  try {
    return { identity: await accounts.identify(token), fault: null };
  } catch (fault) {
    return { identity: null, fault };
  }
}

/** An IPv4 address in its own form also when it comes as an IPv6 one, so that one machine has one bucket of tries. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Who is connected to us: the client, or the last proxy before us. */
export const peerAddressOf = (request: IncomingMessage): string =>
  plainAddress(request.socket.remoteAddress ?? 'unknown');
