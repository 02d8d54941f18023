import { networkInterfaces } from 'node:os';

/** True for a host only this machine can reach: 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** True for a host that stands for every address of this machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '[::]';
}

/** The address a program of this machine uses to reach a server that listens on `host`. */
export function formatUrl(host: string, port: number): string {
  const reachable = host === '::' || host === '[::]' ? '::1' : host === '0.0.0.0' ? '127.0.0.1' : host;
  const bare = reachable.replace(/^\[|\]$/g, '');
  return `http://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

/** The host other machines reach this one by when a server listens on `host`; undefined when they can not. */
export function findPublicHost(host: string): string | undefined {
  if (isLoopback(host)) return undefined;
  if (!isWildcard(host)) return host.replace(/^\[|\]$/g, '');
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((one) => one.family === 'IPv4' && !one.internal)?.address;
}
