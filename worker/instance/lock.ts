import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcessAlive, readIdentity, type ProcessIdentity } from './process-identity.js';

/** A held folder; `release` may be called any number of times. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes a worker's data folder for this process. Null when another living process has it; a lock left by a dead one (or by one before a
 * reboot) is taken over. The file appears whole (written aside, then linked), so that nobody reads half an identity.
 */
export function takeFolderLock(folder: string): FolderLock | null {
  const path = join(folder, 'worker.lock');
  const mine = readIdentity(process.pid) ?? { pid: process.pid, startTicks: '', machineBootId: '' };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (;;) {
      if (link(draft, path)) return { release: () => release(path, mine) };
      const holder = readHolder(path);
      if (holder && isSameProcessAlive(holder)) return null;
      moveAside(path, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
    rmSync(`${draft}.stale`, { force: true });
  }
}

function link(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Between reading and moving, another starter may have put its fresh lock there: what was moved is judged again, and put back if alive. */
function moveAside(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readHolder(aside);
  if (moved && isSameProcessAlive(moved)) link(aside, path);
}

function release(path: string, mine: ProcessIdentity): void {
  const holder = readHolder(path);
  if (holder?.pid === mine.pid && holder.startTicks === mine.startTicks) rmSync(path, { force: true });
}

function readHolder(path: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}
