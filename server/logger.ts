import { pino, type DestinationStream, type Logger } from 'pino';
import { secretPaths } from '@gjm/core/text/secret-fields.js';

/** JSON lines, on standard output unless told otherwise. `base` fields stand in each line. */
export function createLogger(
  level: string,
  base: Record<string, unknown> = {},
  destination: DestinationStream = pino.destination(1),
): Logger {
  const options = {
    level,
    base: { pid: process.pid, ...base },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretPaths, censor: '[secret]' },
  };
  return pino(options, destination);
}
