import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The port is not to be had; the message is for a person. */
export class ListenProblem extends Error {}

/** How long requests under way may take to end when the server stops, in ms. */
const drainMs = 4_000;

/** A server with limits on everything a peer may keep waiting: headers 20 s, idle connections 65 s, silence either way 120 s. */
export function createLimitedServer(listener: RequestListener): Server {
  const server = createServer(
    { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 65_000 },
    listener,
  );
  server.timeout = 120_000; // an upload may take hours, so that there is no limit on a whole request; each body has its own
  return server;
}

/** Resolves with the address once the server listens. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, resolve);
  });
  const { address, family, port: actual } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`;
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ListenProblem(`Port ${port} on ${host} is in use: stop what listens there, or set GJM_PORT.`);
  if (error.code === 'EACCES')
    return new ListenProblem(`Port ${port} on ${host} may not be used by this user: set GJM_PORT.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new ListenProblem(`${host} is no address of this machine: set GJM_HOST.`);
  return error;
}

/** Lets requests under way end, for a while; then cuts what is left. The server must have stopped accepting. */
export async function drain(server: Server, stopped: Promise<void>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await stopped;
  clearInterval(idle);
  clearTimeout(cut);
}
