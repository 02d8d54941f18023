import { open, type FileHandle } from 'node:fs/promises';
import { ERR_UNSAFE_FILENAME, type Entry, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import { trainLimits } from '@gjm/core/workload/model-train.js';
import { invalidInput, shown, WorkloadFailure } from '../define.js';

/** A file of an archive, not yet unpacked. */
export interface ArchivedFile {
  /** Path within the archive, with `/` between its parts: none of them empty, `.` or `..`. */
  name: string;
  /** As the archive says; `read` holds it to that. */
  bytes: number;
  /** Unpacks it and checks its CRC. @throws WorkloadFailure INVALID_INPUT with the file's name */
  read(): Promise<Uint8Array>;
}

export interface Archive {
  files: ArchivedFile[];
  close(): Promise<void>;
}

/** More than this many times its packed size, beyond the first MiB, is a bomb and not a file. */
const mostRatio = 200;
const ratioFreeBytes = 1024 * 1024;

/**
 * Opens a zip archive that a stranger made: holds names, counts and sizes against the limits before a byte is unpacked.
 * @param mostFileBytes uncompressed bytes that one file may have
 * @param mostFiles files and folders that it may have
 * @throws WorkloadFailure INVALID_INPUT with one sentence, the file's name in it where there is one
 */
export async function openZip(
  path: string,
  mostFileBytes = trainLimits.fileBytes,
  mostFiles = trainLimits.files,
): Promise<Archive> {
  const handle = await open(path);
  const reader = new ZipReader(new FileReader(handle), { useWebWorkers: false, checkSignature: true });
  const close = async () => {
    await reader.close().catch(() => undefined);
    await handle.close();
  };
  try {
    return { files: await listFiles(reader, mostFileBytes, mostFiles), close };
  } catch (error) {
    await close();
    if (error instanceof WorkloadFailure) throw error;
    const { message, filename } = error as { message?: string; filename?: string };
    if (message === ERR_UNSAFE_FILENAME) throw badPath(filename ?? '');
    throw invalidInput('The archive is cut off or damaged: it can not be read as a zip file.', error);
  }
}

/** Whether the file begins as zip archives do. */
export async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString('latin1') === 'PK';
  } finally {
    await file.close();
  }
}

async function listFiles(
  reader: ZipReader<unknown>,
  mostFileBytes: number,
  mostFiles: number,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  const names = new Set<string>();
  let [count, bytes] = [0, 0];
  for await (const entry of reader.getEntriesGenerator()) {
    if (++count > mostFiles) throw invalidInput(`The archive has more than ${mostFiles} files.`);
    const name = checkEntry(entry, mostFileBytes);
    if (entry.directory) continue;
    if (names.has(name)) throw invalidInput(`The archive has ${shown(name)} twice.`);
    names.add(name);
    bytes += entry.uncompressedSize;
    if (bytes > trainLimits.archiveBytes)
      throw invalidInput(`The archive's files have more than ${trainLimits.archiveBytes} bytes together.`);
    files.push({ name, bytes: entry.uncompressedSize, read: () => readFile(entry, name) });
  }
  return files;
}

/** Storage names are ours, so a bad name could do no harm here; it shows an archive that means some. */
function checkEntry(entry: Entry, mostFileBytes: number): string {
  const name = entry.filename;
  const parts = name.replace(/\/$/, '').split('/');
  if (/[\\\0]/.test(name) || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw badPath(name);
  if (entry.encrypted) throw invalidInput(`${shown(name)} is encrypted.`);
  if (entry.symlink) throw invalidInput(`${shown(name)} is a link; only files can be read.`);
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > mostFileBytes)
    throw invalidInput(`${shown(name)} has ${uncompressedSize} bytes, at most ${mostFileBytes}.`);
  if (uncompressedSize > ratioFreeBytes + mostRatio * compressedSize)
    throw invalidInput(`${shown(name)} unpacks to more than ${mostRatio} times its packed size.`);
  return name;
}

async function readFile(entry: FileEntry, name: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.uncompressedSize);
  let length = 0;
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      if (length + chunk.length > bytes.length) throw new Error('more bytes than announced');
      bytes.set(chunk, length);
      length += chunk.length;
    },
  });
  try {
    await entry.getData(writable);
    if (length !== bytes.length) throw new Error('fewer bytes than announced');
    return bytes;
  } catch (error) {
    throw invalidInput(
      `${shown(name)} can not be unpacked: it is damaged, or packed in an unknown way.`,
      error,
    );
  }
}

const badPath = (name: string): WorkloadFailure =>
  invalidInput(`The archive has a file with a path that is not allowed: ${shown(name)}.`);

/** Random access to an open file. */
class FileReader extends Reader<FileHandle> {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    super(handle);
    this.#handle = handle;
  }

  override async init(): Promise<void> {
    this.size = (await this.#handle.stat()).size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - index)));
    const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, index);
    return bytes.subarray(0, bytesRead);
  }
}
