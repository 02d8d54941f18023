import type { DataFolder } from './data-folder.js';
import { type NotedProcess, readPidFiles, removePidFile } from './pid-file.js';
import { isAlive } from './process-identity.js';
import { until } from './until.js';

/** How long a leftover may take to end by itself before it is killed, in milliseconds. */
const LEFTOVER_MS = 5_000;

/** The order of ending: workers, servers, Redis, Postgres; what is unknown comes first. */
const STOP_ORDER = ['worker', 'server', 'redis', 'postgres'];

/**
 * Ends what an earlier, crashed stack left running on this folder. A process is touched only when pid, start
 * time and boot agree with the note, so a foreign process with a reused number is never signalled. Returns the
 * names of those ended. Call it under the folder's lock. Fails when one does not end even by SIGKILL.
 */
export async function endLeftovers(folder: DataFolder): Promise<string[]> {
  const ended: string[] = [];
  const noted = readPidFiles(folder.run).sort((a, b) => orderOf(a) - orderOf(b));
  for (const leftover of noted) {
    if (isAlive(leftover.identity)) {
      await endLeftover(leftover);
      ended.push(leftover.name);
    }
    removePidFile(folder.run, leftover.name);
  }
  return ended;
}

async function endLeftover({ name, identity }: NotedProcess): Promise<void> {
  const gone = () => !isAlive(identity);
  signal(identity.pid, name.startsWith('postgres') ? 'SIGINT' : 'SIGTERM');
  const what = `${name} of an earlier start (pid ${identity.pid}) did not end`;
  try {
    await until(gone, { limitMs: LEFTOVER_MS, what });
  } catch {
    if (!gone()) signal(-identity.pid, 'SIGKILL');
    await until(gone, { limitMs: LEFTOVER_MS, what });
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended in between
  }
}

function orderOf(noted: NotedProcess): number {
  return STOP_ORDER.findIndex((kind) => noted.name === kind || noted.name.startsWith(`${kind}-`));
}
