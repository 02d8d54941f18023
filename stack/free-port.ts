import { createServer } from 'node:net';
import { StackProblem, systemCode } from './problem.js';

/** A port that is free on `host` now. Another program may take it before it is used: callers try again. */
export function findFreePort(host = '127.0.0.1'): Promise<number> {
  return bindOnce(host, 0);
}

/** Fails with one sentence when `port` of `host` cannot be listened on; `port` 0 finds a free one. */
export async function claimPort(host: string, port: number): Promise<number> {
  try {
    return await bindOnce(host, port);
  } catch (error) {
    const code = systemCode(error);
    const place = `port ${port} of ${host}`;
    if (code === 'EADDRINUSE') {
      throw new StackProblem(
        `${capital(place)} is in use: stop what uses it, or set GJM_PORT (0 = any free).`,
      );
    }
    if (code === 'EACCES')
      throw new StackProblem(`This user may not listen on ${place}: set GJM_PORT above 1023.`);
    throw new StackProblem(
      `It is not possible to listen on ${place} (${code ?? String(error)}): set GJM_HOST.`,
    );
  }
}

function bindOnce(host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen({ host, port, exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
