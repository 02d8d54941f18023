import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.js';
import type { DataFolder } from './data-folder.js';
import { type ProcessIdentity, isAlive } from './process-identity.js';

/** What `<data>/stack.json` tells of a running stack. It holds no secret. */
export interface StackFile {
  /** Where the dashboard and the API are. */
  url: string;
  /** The process that runs the stack; the file counts only while it lives. */
  owner: ProcessIdentity;
  /** Pid of each part, by name. */
  pids: Record<string, number>;
  ports: { server: number; postgres: number | null; redis: number | null };
  /** `postgres` is outside of the data folder when root runs the stack. */
  folders: { data: string; artifacts: string; logs: string; postgres: string | null };
}

/** Replaces stack.json as a whole. */
export async function writeStackFile(folder: DataFolder, file: StackFile): Promise<void> {
  await writeFileAtomically(join(folder.path, 'stack.json'), `${JSON.stringify(file, null, 2)}\n`);
}

/** Forgets the stack of this folder. */
export async function removeStackFile(folder: DataFolder): Promise<void> {
  await rm(join(folder.path, 'stack.json'), { force: true });
}

/** The running stack of a data folder; undefined when there is none, or only a crashed one's file. */
export async function readStackFile(dataDir: string): Promise<StackFile | undefined> {
  try {
    const file = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile;
    return isAlive(file.owner) ? file : undefined;
  } catch {
    return undefined; // no file, or not one of ours
  }
}
