import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWav } from './read-wav.js';
import { wavFile, type WavForm } from './wav-under-test.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-wav-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(bytes: Buffer): Promise<number[]> {
  const path = join(folder, 'sound.wav');
  await writeFile(path, bytes);
  const recording = await openWav(path);
  try {
    const samples: number[] = [];
    for await (const block of recording.blocks()) samples.push(...block);
    return samples;
  } finally {
    await recording.close();
  }
}

const plain: WavForm = { encoding: 'integer', bits: 16, channels: 1, rate: 44_100 };
const wave = Float32Array.from({ length: 50 }, (_, i) => Math.sin(i / 3) * 0.9);

test.each<[WavForm['encoding'], number, 1 | 2]>([
  ['integer', 8, 1],
  ['integer', 16, 1],
  ['integer', 24, 2],
  ['integer', 32, 2],
  ['float', 32, 1],
  ['float', 64, 2],
])('%s samples of %i bits on %i channels are read as they were', async (encoding, bits, channels) => {
  const samples = await read(wavFile(wave, { encoding, bits, channels, rate: 8_000 }));
  expect(samples).toHaveLength(wave.length);
  const off = samples.map((sample, index) => Math.abs(sample - wave[index]!));
  expect(Math.max(...off)).toBeLessThanOrEqual(encoding === 'float' ? 1e-7 : 2 ** -(bits - 1));
});

test('both channels are mixed, unknown chunks are passed over, an extensible format is looked into', async () => {
  const bytes = wavFile(Float32Array.of(0, 0), { ...plain, channels: 2 });
  bytes.writeInt16LE(16_384, 44);
  const format = Buffer.concat([bytes.subarray(20, 36), Buffer.alloc(24)]);
  format.writeUInt16LE(0xfffe, 0);
  format.writeUInt16LE(1, 24);
  const size = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const odd = Buffer.from('LIST\u0003\0\0\0abc\0');
  const file = [bytes.subarray(0, 12), odd, Buffer.from('fmt '), size(40), format, bytes.subarray(36)];
  expect(await read(Buffer.concat(file))).toEqual([0.25, 0]);
});

describe('a hostile file is refused with a sentence', () => {
  const patched = (patch: (header: Buffer) => void) => wavFile(wave, plain, patch);
  const rateOf = (rate: number) => patched((header) => void header.writeUInt32LE(rate, 24));
  const notFinite = (value: number) =>
    wavFile(
      wave.map((sample, index) => (index === 7 ? value : sample)),
      { ...plain, encoding: 'float', bits: 32 },
    );
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'cut off in its header'],
    ['another RIFF file', patched((header) => void header.write('WEBP', 8)), 'is no WAV file'],
    ['only a head', wavFile(wave, plain).subarray(0, 12), 'has no sound in it'],
    ['half a file', wavFile(wave, plain).subarray(0, 90), 'announces 100 bytes of sound and has 46'],
    ['a stream without an end', patched((header) => void header.writeUInt32LE(2 ** 32 - 1, 40)), 'cut off'],
    ['no sound', wavFile(new Float32Array(0), plain), 'has no sound in it'],
    ['no channels', patched((header) => void header.writeUInt16LE(0, 22)), 'has 0 channels'],
    ['many channels', patched((header) => void header.writeUInt16LE(6, 22)), 'has 6 channels'],
    ['a rate of nothing', rateOf(0), 'has 0 samples a second'],
    ['a rate beyond hearing', rateOf(4_000_000_000), 'samples a second'],
    ['no bits', patched((header) => void header.writeUInt16LE(0, 34)), 'not read here'],
    ['odd bits', patched((header) => void header.writeUInt16LE(12, 34)), 'not read here'],
    ['a packed format', patched((header) => void header.writeUInt16LE(2, 20)), 'format 2'],
    ['a wrong frame size', patched((header) => void header.writeUInt16LE(3, 32)), 'contradicts itself'],
    ['a cut format', patched((header) => void header.writeUInt32LE(4, 16)), 'format is cut off'],
    [
      'sound before its format',
      patched((header) => void header.write('junk', 12)),
      'comes before its format',
    ],
    ['NaN', notFinite(NaN), 'Sample 8 of'],
    ['infinity', notFinite(-Infinity), 'Sample 8 of'],
  ])('%s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    });
  });

  test('hours of sound', async () => {
    const path = join(folder, 'hours.wav');
    const bytes = 8_000 * 3_600;
    await writeFile(
      path,
      wavFile(
        new Float32Array(0),
        { ...plain, bits: 8, rate: 8_000 },
        (header) => void header.writeUInt32LE(bytes, 40),
      ),
    );
    await truncate(path, 44 + bytes);
    await expect(openWav(path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The recording takes 3600 seconds, at most 1800 are transcribed.',
    });
  });
});
