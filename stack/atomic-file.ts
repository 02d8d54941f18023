import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file as a whole: a reader sees the old content or the new, also after a crash. Mode 0600 unless
 * told otherwise. Fails with the system's error, and leaves the old file then.
 */
export async function writeFileAtomically(path: string, content: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  try {
    const file = await open(draft, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
