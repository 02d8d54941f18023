import type { Child } from './child.js';

/** What a server or worker said at its end: its plain words, else its last logged error, else how it ended. */
export function describeEnd(child: Child): string {
  const lines = child.output().split('\n');
  const words = lines.filter((line) => line.trim() !== '' && !line.startsWith('{') && !/^\s+at /.test(line));
  if (words.length > 0) return words.slice(-6).join('\n');
  const end = child.exit?.signal ?? `code ${child.exit?.code}`;
  const fault = lines.map(readFault).findLast((message) => message !== undefined);
  return `The ${child.name} ended (${end}) before it was ready${fault ? `: ${fault}` : '; its log tells more'}.`;
}

interface LogLine {
  level?: unknown;
  msg?: string;
  err?: { message?: string };
}

/** Levels of a fault, as the server's and the worker's log write them. */
const FAULT_LEVELS: unknown[] = ['error', 'fatal', 50, 60];

/** The message of a JSON log line of level error or fatal. */
function readFault(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line) as LogLine;
    return FAULT_LEVELS.includes(level) ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    return undefined; // cut off at the start of what was read, or not JSON
  }
}
