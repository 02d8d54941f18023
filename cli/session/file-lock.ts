import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than any renewal may take, in ms: who holds the lock for longer is gone or stuck. */
const staleMs = 45_000;
/** How often a waiting process looks again, in ms. */
const lookMs = 25;

interface Holder {
  pid: number;
  host: string;
  /** ms since 1970. */
  since: number;
  nonce: string;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function isGone({ pid, host, since }: Holder): boolean {
  if (Date.now() - since > staleMs) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null; // released just now, or taken and not written yet
  }
}

/** Takes a dead holder's lock away, and gives it back should it prove to be another one's. */
async function breakLock(path: string, dead: Holder): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return; // somebody else was first
  }
  const taken = await readHolder(aside);
  if (taken && taken.nonce !== dead.nonce) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** Written under another name first: a lock that is there always tells whose it is. */
async function tryTake(path: string, nonce: string): Promise<boolean> {
  const draft = `${path}.${nonce}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const holder: Holder = { pid: process.pid, host: hostname(), since: Date.now(), nonce };
    await file.writeFile(JSON.stringify(holder));
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/**
 * Runs `work` while no other process runs anything under the same lock file, on this machine or on another one that shares the folder.
 * The lock of a process that died is taken over.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const nonce = randomBytes(6).toString('hex');
  while (!(await tryTake(path, nonce))) {
    const holder = await readHolder(path);
    if (holder && isGone(holder)) await breakLock(path, holder);
    else await pause(lookMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    if ((await readHolder(path))?.nonce === nonce) await rm(path, { force: true });
  }
}
