import { readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIdentity } from './process-identity.js';
import { until } from './until.js';

/** How long the processes of a killed Postgres may take to end when asked, in milliseconds. */
const REMAINS_MS = 3_000;

/**
 * Clears what a killed Postgres left in its data folder: processes that are busy and have not noticed, which hold its shared memory,
 * and a `postmaster.pid` whose number may belong to a foreign process by now. Either would keep the next one from
 * starting. Postgres processes work in their data folder, which tells them apart. Call it while no Postgres of
 * this folder is meant to run.
 */
export async function clearRemains(data: string): Promise<void> {
  const what = `Processes of an earlier Postgres in ${data} did not end`;
  const isClear = () => listWorkers(data).length === 0;
  signalAll(data, 'SIGQUIT');
  try {
    await until(isClear, { limitMs: REMAINS_MS, what });
  } catch {
    signalAll(data, 'SIGKILL');
    await until(isClear, { limitMs: REMAINS_MS, what });
  }
  await rm(join(data, 'postmaster.pid'), { force: true });
}

function signalAll(data: string, signal: NodeJS.Signals): void {
  for (const pid of listWorkers(data)) {
    try {
      process.kill(pid, signal);
    } catch {
      // it ended in between
    }
  }
}

/** Pids of the living processes whose working folder is `data`. */
function listWorkers(data: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  return pids.filter((pid) => worksIn(pid, data) && readIdentity(pid) !== undefined);
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false; // it is gone, or another user's
  }
}
