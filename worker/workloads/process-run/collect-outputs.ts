import { lstat, readdir } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import type { Stats } from 'node:fs';
import type { ProgramTask } from '../../containment/program-task.js';
import { shown, WorkloadFailure, type Output } from '../define.js';
import { moveFile } from './prepare-folder.js';

const mostFiles = 10_000;
/** Folders and files that are looked at. */
const mostEntries = 200_000;
const deepest = 64;
/** What an artifact's name may have, in characters. */
const longestName = 255;

export interface CollectOptions {
  task: Pick<ProgramTask, 'folder' | 'user' | 'limits'>;
  /** Patterns that each must match an output. */
  expect: readonly string[];
  /** Where the outputs are moved to. */
  outputDir: string;
  /** Told what is left out, one sentence each. */
  onLeftOut: (sentence: string) => void;
}

interface Found {
  /** Relative, with `/` between its parts. */
  name: string;
  path: string;
  bytes: number;
}

/**
 * Takes all regular files that a program left, out of its reach and under names of ours. Call it when none of its processes lives. Links are
 * not followed; they, sockets, pipes and files that are not the program's own are left out.
 * @throws WorkloadFailure OUTPUT_INVALID when there is too much, or an expected file is missing
 */
export async function collectOutputs({
  task,
  expect,
  outputDir,
  onLeftOut,
}: CollectOptions): Promise<Output[]> {
  const files = await findFiles(join(task.folder, 'out'), task.user?.uid ?? null, onLeftOut);
  const missing = expect.filter((pattern) => !files.some(({ name }) => posix.matchesGlob(name, pattern)));
  if (missing.length > 0)
    throw invalid(`No output matches ${missing.map(shown).join(', ')}; there are ${files.length} outputs.`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > task.limits.outputBytes)
    throw invalid(`The outputs have ${bytes} bytes, at most ${task.limits.outputBytes}.`);
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, { path }] of files.entries()) await moveFile(path, join(outputDir, String(index)));
  return files.map(({ name }, index) => ({ name, path: String(index), mediaType: mediaTypeOf(name) }));
}

async function findFiles(
  root: string,
  uid: number | null,
  onLeftOut: (sentence: string) => void,
): Promise<Found[]> {
  const files: Found[] = [];
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder))) {
      const name = posix.join(folder, entry);
      if (++seen > mostEntries) throw invalid(`The output folder has more than ${mostEntries} entries.`);
      const path = join(root, name);
      const stats = await lstat(path).catch(() => null);
      if (stats?.isDirectory() && name.split('/').length < deepest) folders.push(name);
      else {
        const why = whyLeftOut(name, stats, uid);
        if (why === null) files.push({ name, path, bytes: stats?.size ?? 0 });
        else onLeftOut(`The output ${shown(name)} is left out: it ${why}.`);
      }
      if (files.length > mostFiles) throw invalid(`The program made more than ${mostFiles} outputs.`);
    }
  }
  return files;
}

function whyLeftOut(name: string, stats: Stats | null, uid: number | null): string | null {
  if (stats === null) return 'has a name that is no text';
  if (stats.isDirectory()) return `lies more than ${deepest} folders deep`;
  if (stats.isSymbolicLink()) return 'is a link';
  if (!stats.isFile()) return 'is not a regular file';
  // A hard link to a file of somebody else, which the program may not have been able to read.
  if (uid !== null && stats.uid !== uid) return 'belongs to another user';
  return name.length > longestName ? `has a path of more than ${longestName} characters` : null;
}

const invalid = (message: string): WorkloadFailure => new WorkloadFailure('OUTPUT_INVALID', message);

const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
};

const mediaTypeOf = (name: string): string =>
  mediaTypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
