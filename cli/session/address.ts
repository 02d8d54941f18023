import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../environment.js';
import { usageError } from '../exit.js';
import type { CredentialsFile } from './credentials.js';

/** Where the server is, and who said so. */
export interface Address {
  /** An origin, such as `http://127.0.0.1:4000`. */
  url: string;
  from: 'GJM_URL' | 'the saved sign-in' | 'the stack of this machine' | 'the default';
}

const fallback = 'http://127.0.0.1:4000';

/** The origin of an address that a person gave; fails with one sentence for anything but http and https. */
export function originOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw usageError(`${name} must be an address such as http://host:4000.`);
  return url.origin;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The stack that runs on this machine's data folder, null when there is none. */
async function readStack(dataDir: string): Promise<string | null> {
  try {
    const text = await readFile(join(dataDir, 'stack.json'), 'utf8');
    const { url, owner } = JSON.parse(text) as { url: string; owner: { pid: number } };
    return isAlive(owner.pid) ? new URL(url).origin : null;
  } catch {
    return null; // no stack here
  }
}

/** GJM_URL, the saved sign-in, stack.json, port 4000 of this machine: the first there is. */
export async function findServer(environment: Environment, credentials: CredentialsFile): Promise<Address> {
  if (environment.url !== undefined) return { url: originOf(environment.url, 'GJM_URL'), from: 'GJM_URL' };
  const saved = credentials.current;
  if (saved !== null) return { url: saved, from: 'the saved sign-in' };
  const stack = await readStack(environment.dataDir);
  if (stack !== null) return { url: stack, from: 'the stack of this machine' };
  return { url: fallback, from: 'the default' };
}
