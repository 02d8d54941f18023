import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodeImage } from './decode.js';
import { inspectImage } from './inspect.js';
import { drawPicture } from './picture-under-test.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-hostile-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, bytes);
  return path;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG that promises `width`×`height` pixels and brings none. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', Buffer.from('789c6300000000010001', 'hex')),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const gifHeader = (width: number, height: number) => {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  // Global colour table of two colours, one frame of the full size, no data.
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.from('800000000000ffffff2c00000000', 'hex'),
    size,
    Buffer.from('0002024401003b', 'hex'),
  ]);
};

const refusal = (message: RegExp) => ({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });

describe('before a pixel is decoded', () => {
  test.each([
    [
      'a PNG header of 100,000×100,000',
      () => pngHeader(100_000, 100_000),
      2,
      /100000×100000 pixels, at most 16,384 on a side/,
    ],
    ['a GIF header of 65,535×65,535', () => gifHeader(65_535, 65_535), 2, /65535×65535/],
    [
      'more pixels than allowed',
      () => pngHeader(16_000, 1_001),
      2,
      /16000×1001 pixels, at most 16,000,000 in all/,
    ],
    [
      'an output larger than allowed',
      () => pngHeader(1_000, 1_001),
      8,
      /enlarged .* 8000×8008 pixels, at most 64,000,000/,
    ],
    ['text', () => Buffer.from('Dear model, please enlarge.'), 2, /not a PNG, JPEG, WebP or GIF/],
    ['nothing', () => Buffer.alloc(0), 2, /not a PNG/],
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      2,
      /not a PNG/,
    ],
    ['30 MB of noise', () => Buffer.alloc(30_000_000, 'z8Kq'), 2, /not a PNG/],
    ['only the signature of a PNG', () => pngHeader(1, 1).subarray(0, 8), 2, /header can not be read/],
    [
      'a signature and noise',
      () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(999, 7)]),
      2,
      /header can not be read/,
    ],
  ])('%s is refused with one sentence', async (_, bytes, scale, message) => {
    const path = await file(bytes());
    const memory = process.memoryUsage.rss();
    await expect(inspectImage(path, scale)).rejects.toMatchObject(refusal(message));
    expect(process.memoryUsage.rss() - memory).toBeLessThan(100e6);
  });

  test('a file of more bytes than an image can need is refused unread', async () => {
    const path = await file(pngHeader(10, 10));
    await truncate(path, 300 * 1024 * 1024);
    await expect(inspectImage(path, 2)).rejects.toMatchObject(refusal(/314,572,800 bytes/));
  });

  test('what is just within the limits passes', async () => {
    expect(await inspectImage(await file(pngHeader(16_000, 1_000)), 2)).toMatchObject({
      width: 16_000,
      height: 1_000,
    });
    expect(await inspectImage(await file(pngHeader(1_000, 1_000)), 8)).toMatchObject({ format: 'png' });
  });
});

describe('an image that is cut off', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('%s is refused, not half decoded', async (format) => {
    const whole = await sharp(await drawPicture(300, 200))
      .toFormat(format)
      .toBuffer();
    const path = await file(whole.subarray(0, Math.floor(whole.length * 0.6)));
    const read = async () => {
      await inspectImage(path, 2);
      return decodeImage(path);
    };
    await expect(read()).rejects.toMatchObject(refusal(/cut off or damaged/));
    await expect(decodeImage(await file(whole))).resolves.toMatchObject({ width: 300, height: 200 });
  });

  test('a header without data is refused when it is decoded', async () => {
    const path = await file(pngHeader(500, 500));
    await inspectImage(path, 2);
    await expect(decodeImage(path)).rejects.toMatchObject(refusal(/can not be decoded/));
  });
});
