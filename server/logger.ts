import { pino, type Logger } from 'pino';

/** Names of fields whose values never reach a log line, at the top of the line and one level down. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'claimKey',
];

/** JSON lines on standard output. `base` fields stand in each line. */
export function createLogger(level: string, base: Record<string, unknown> = {}): Logger {
  return pino({
    level,
    base: { pid: process.pid, ...base },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  });
}
