import { crc32 } from 'node:zlib';

/** One entry of an archive that no honest program would write. */
export interface RawEntry {
  name: string;
  bytes?: string;
  /** Uncompressed bytes that it says to have; packed it has what it has. */
  claims?: number;
  /** Unix mode, with the kind of file. */
  mode?: number;
  isEncrypted?: boolean;
}

/** An archive with these entries, byte by byte as PKWARE's APPNOTE 6.3.10 says, stored and not packed; in the form of Zip64, so that there may be many. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes = '', claims, mode = 0o100644, isEncrypted = false } of entries) {
    const [path, content] = [Buffer.from(name), Buffer.from(bytes)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((isEncrypted ? 1 : 0) | 0x800, 2);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(claims ?? content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 2 ** 16, 6);
    rest.writeUInt32LE(offset, 10);
    // Made by a version for Unix, so that the mode counts.
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, path);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...locals, directory, ...endOf(entries.length, directory.length, offset)]);
}

function endOf(count: number, length: number, offset: number): Buffer[] {
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(45, 12);
  end64.writeUInt16LE(45, 14);
  for (const [value, at] of [
    [count, 24],
    [count, 32],
    [length, 40],
    [offset, 48],
  ] as const)
    end64.writeBigUInt64LE(BigInt(value), at);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.fill(0xff, 8, 20);
  return [end64, locator, end];
}
