import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedStack } from '../support/environment.js';

/** Lines at level error or worse that the shared stack's server wrote about requests whose id begins so. */
export async function errorsLoggedFor(requestIdStart: string): Promise<string[]> {
  const text = await readFile(join(sharedStack().dataDir, 'logs', 'server.log'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.includes(requestIdStart) && /"level":"(error|fatal)"/.test(line));
}

/** What no answer may hold: words of SQL, of our tables, of stacks and of paths. */
export const innerWords =
  /duplicate key|syntax error at|invalid byte|invalid input syntax|SELECT |INSERT |UPDATE |QueryFailed|job_events|attempt_devices|one_time_tokens|\bat .+\.(ts|js):\d+|node_modules|\/server\/|stack"/;
