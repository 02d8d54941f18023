import { pino, type DestinationStream, type Logger } from 'pino';
import { secretPaths } from '@gjm/core/text/secret-fields.js';

export type { Logger };

/** JSON lines, on standard output unless told otherwise. Whatever could be a secret is cut out by name. */
export function createLogger(name: string, destination: DestinationStream = pino.destination(1)): Logger {
  const base = { app: 'gjm-worker', worker: name };
  return pino({ base, redact: { paths: secretPaths, censor: '[secret]' } }, destination);
}
