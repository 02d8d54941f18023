import { rename } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';

/** One and the same time for every file, so that the same content makes the same bytes. */
const time = new Date(Date.UTC(2000, 0, 1));

/** Writes a zip archive under a temporary name and renames it, so that `path` is whole or absent. */
export async function writeZip(
  path: string,
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<void> {
  const unfinished = `${path}.part`;
  const target = Writable.toWeb(createWriteStream(unfinished));
  const writer = new ZipWriter(target, {
    useWebWorkers: false,
    extendedTimestamp: false,
    lastModDate: time,
    level: 1,
  });
  for (const [name, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await writer.add(name, new Uint8ArrayReader(bytes as Uint8Array<ArrayBuffer>));
  }
  await writer.close();
  await rename(unfinished, path);
}
