import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on standard output. Whatever could be a secret is cut out by name, at any of the depths we log at. */
export function createLogger(name: string): Logger {
  return pino({
    base: { app: 'gjm-worker', worker: name },
    redact: {
      paths: [
        'token',
        'claimKey',
        'authorization',
        'password',
        '*.token',
        '*.claimKey',
        '*.authorization',
        '*.password',
      ],
      censor: '[redacted]',
    },
  });
}
