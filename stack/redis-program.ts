import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { StackContext } from './context.js';
import { StackProblem } from './problem.js';
import { type RedisProgram, unpackDebianRedis } from './redis-debian.js';

const SENTENCE =
  'Redis is needed and was not found: install it (apt-get install redis-server, or valkey), or set REDIS_URL.';

/**
 * Finds a Redis to run: redis-server or valkey-server on PATH, else (Debian, Ubuntu) the distribution's own
 * package unpacked into a private folder, without root. Fails with one sentence that says what to install.
 */
export async function findRedisProgram(context: StackContext): Promise<RedisProgram> {
  const { searchPath, cacheFolders } = context.environment;
  for (const name of ['redis-server', 'valkey-server']) {
    const command = searchPath.map((folder) => join(folder, name)).find(isProgram);
    if (command !== undefined) return { command, libraryPath: undefined };
  }
  if (!searchPath.some((folder) => isProgram(join(folder, 'apt-get')))) throw new StackProblem(SENTENCE);
  const folders = [...cacheFolders, join(context.folder.path, 'programs')];
  try {
    return await unpackDebianRedis(folders, context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StackProblem(`${SENTENCE} (Fetching it with apt-get did not work: ${why})`, { cause: error });
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
