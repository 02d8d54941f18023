import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { measureTree } from './copy-tree.js';
import { StackProblem } from './problem.js';

/** The folders of a backup. */
export const backupParts = ['postgres', 'artifacts', 'secrets', 'workers'] as const;

const sizeSchema = z.object({ files: z.number(), bytes: z.number() });

const schema = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Files of Postgres can be used by its own major version and sort of processor only. */
  postgresVersion: z.string(),
  processor: z.string(),
  parts: z.record(z.enum(backupParts), sizeSchema),
});

/** What `backup.json` tells of a backup. It is written last: a folder without it is none. */
export type BackupNote = z.infer<typeof schema>;

export const noteName = 'backup.json';

/** How much each part of a backup holds. */
export async function measureParts(backup: string): Promise<BackupNote['parts']> {
  const parts: Partial<BackupNote['parts']> = {};
  for (const part of backupParts) parts[part] = await measureTree(join(backup, part));
  return parts as BackupNote['parts'];
}

/** Reads a backup's note and counts its files. Fails with one sentence for what is no backup of ours, or not all of one. */
export async function checkBackup(backup: string): Promise<BackupNote> {
  const text = await readFile(join(backup, noteName), 'utf8').catch(() => undefined);
  if (text === undefined) throw new StackProblem(`${backup} is no backup: it has no ${noteName}.`);
  const note = readNote(text);
  if (!note) throw new StackProblem(`${join(backup, noteName)} is damaged, or of another release.`);
  const found = await measureParts(backup);
  for (const part of backupParts) {
    const [is, was] = [found[part], note.parts[part]];
    if (is.files !== was.files || is.bytes !== was.bytes)
      throw new StackProblem(
        `The backup is not whole: ${part} has ${is.files} files of ${is.bytes} bytes together, and had ${was.files} of ${was.bytes}.`,
      );
  }
  return note;
}

function readNote(text: string): BackupNote | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
