import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessIdentity, readIdentity } from './process-identity.js';

/** A process that some start of this data folder noted down. */
export interface NotedProcess {
  name: string;
  identity: ProcessIdentity;
}

/**
 * Notes a just started process in `run/`: `<name>.pid` holds the bare number, for people and scripts;
 * `<name>.start` holds number, start time and boot, which is what a later start goes by.
 */
export function writePidFile(runFolder: string, name: string, pid: number): void {
  const identity = readIdentity(pid);
  if (identity === undefined) return; // it ended already: nothing to find again
  const line = `${identity.pid} ${identity.startTicks} ${identity.bootId}\n`;
  writeFileSync(join(runFolder, `${name}.start`), line, { mode: 0o600 });
  writeFileSync(join(runFolder, `${name}.pid`), `${pid}\n`, { mode: 0o600 });
}

/** Forgets a process that has ended. */
export function removePidFile(runFolder: string, name: string): void {
  for (const ending of ['pid', 'start']) rmSync(join(runFolder, `${name}.${ending}`), { force: true });
}

/** Every process noted in `run/`, alive or not; a file cut short by a crash is skipped. */
export function readPidFiles(runFolder: string): NotedProcess[] {
  const noted: NotedProcess[] = [];
  for (const file of readdirSync(runFolder)) {
    if (!file.endsWith('.start')) continue;
    const name = file.slice(0, -'.start'.length);
    const [pid, startTicks, bootId] = readFileSync(join(runFolder, file), 'utf8').trim().split(' ');
    if (!Number(pid) || !startTicks || !bootId) continue;
    noted.push({ name, identity: { pid: Number(pid), startTicks, bootId } });
  }
  return noted;
}
