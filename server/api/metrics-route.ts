import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Accounts } from '../application/accounts/accounts.js';
import { identify, peerAddressOf, requestIdOf } from './request.js';
import { sendFault } from './send-json.js';

/** The text of a scrape. */
export interface MetricsText {
  text(): Promise<string>;
  contentType: string;
}

/**
 * `GET /metrics` in Prometheus' text format. Callers on this machine need no token, unless a proxy speaks for somebody else; all others need an
 * ADMIN's access token.
 */
export function createMetricsRoute(
  metrics: MetricsText,
  accounts: Pick<Accounts, 'identify'>,
): RequestHandler {
  return async (request, response) => {
    if (!isLocal(request) && !(await isAdmin(request, response, accounts))) return;
    const text = await metrics.text();
    response.set({ 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
  };
}

/** Headers that a proxy adds: the peer is then not the caller. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** Whether the caller is a process of this machine. */
export const isLocal = (request: IncomingMessage): boolean =>
  /^(127\.\d+\.\d+\.\d+|::1)$/.test(peerAddressOf(request)) &&
  !proxyHeaders.some((name) => request.headers[name] !== undefined);

/** Answers for itself when it says no. */
async function isAdmin(
  request: IncomingMessage,
  response: Response,
  accounts: Pick<Accounts, 'identify'>,
): Promise<boolean> {
  const { identity, fault } = await identify(accounts, request.headers.authorization);
  if (identity?.viewer.role === 'ADMIN') return true;
  const requestId = requestIdOf(request);
  if (fault) sendFault(response, 503, 'UNAVAILABLE', 'Try again in a moment.', requestId);
  else if (identity) sendFault(response, 403, 'FORBIDDEN', 'Only an ADMIN may read the metrics.', requestId);
  else {
    response.setHeader('www-authenticate', 'Bearer');
    sendFault(response, 401, 'UNAUTHENTICATED', 'Sign in first.', requestId);
  }
  return false;
}
