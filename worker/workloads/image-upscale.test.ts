import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import sharp, { type OutputInfo } from 'sharp';
import type { UpscaleTier } from '@gjm/core/workload/image-upscale.js';
import type { Engine } from '../engines/engine.js';
import { wasmLoader } from '../engines/wasm.js';
import { optionalPackages } from '../packages-folder.js';
import { workloadContext } from '../testing/workload-context.js';
import { type ProgressUpdate, WorkloadStopped } from './define.js';
import { imageUpscaleWorkload } from './image-upscale.js';
import { enlargeColours } from './image/enlarge.js';
import { loadUpscaler, type Scale } from './image/esrgan.js';
import { drawPhoto, drawPicture, psnr } from './image/picture-under-test.js';
import type { Picture } from './image/picture.js';
import { warmTensors } from './warm-models.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-upscale-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run {
  output: Buffer;
  info: OutputInfo;
  progress: ProgressUpdate[];
}

/** Runs the workload on the bytes of an image; `stopAfter` asks for a stop after so many tiles. */
async function upscale(
  bytes: Buffer,
  scale: Scale,
  stopAfter = Infinity,
  tier: UpscaleTier = 'slim',
): Promise<Run> {
  const [image, outputDir] = [join(folder, 'input'), await mkdtemp(join(folder, 'out-'))];
  await writeFile(image, bytes);
  const progress: ProgressUpdate[] = [];
  const stopRequested = () => progress.length >= stopAfter;
  const context = workloadContext({
    params: { image: '', scale },
    inputs: { image },
    outputDir,
    tier,
    engine,
    stopRequested,
    progress: (update) => void progress.push(update),
  });
  const before = tf.memory().numTensors - warmTensors();
  try {
    expect(await imageUpscaleWorkload.run(context)).toEqual([
      { name: 'output.png', path: 'output.png', mediaType: 'image/png' },
    ]);
  } finally {
    expect(tf.memory().numTensors - warmTensors()).toBe(before);
  }
  expect(await readdir(outputDir)).toEqual(['output.png']);
  const written = sharp(join(outputDir, 'output.png'));
  expect(await written.metadata()).toMatchObject({ format: 'png', depth: 'uchar' });
  const { data, info } = await written.raw().toBuffer({ resolveWithObject: true });
  return { output: data, info, progress };
}

const raw = (bytes: Buffer | string, size?: { width: number; height: number }) => {
  const image = sharp(bytes).removeAlpha().toColourspace('srgb');
  return (size ? image.extract({ left: 0, top: 0, ...size }) : image)
    .raw()
    .toBuffer({ resolveWithObject: true });
};

describe('sizes and formats', () => {
  test.each([
    ['png', 1, 1, 2],
    ['png', 1, 1, 8],
    ['jpeg', 37, 23, 3],
    ['webp', 20, 33, 4],
    ['gif', 19, 18, 2],
    ['png', 300, 7, 2],
  ] as const)('a %s of %i×%i comes out %ix as large', async (format, width, height, scale) => {
    const picture = await sharp(await drawPicture(width, height))
      .toFormat(format)
      .toBuffer();
    const { info } = await upscale(picture, scale);
    expect(info).toMatchObject({ width: width * scale, height: height * scale });
  });

  test('alpha comes out as large as the colours, enlarged smoothly', async () => {
    const colours = await drawPicture(40, 30);
    const half = await sharp({ create: { width: 20, height: 30, channels: 3, background: '#000' } })
      .extend({ right: 20, background: '#fff' })
      .extractChannel(0)
      .toBuffer({ resolveWithObject: true })
      .then(({ data, info }) => ({
        data,
        raw: { width: info.width, height: info.height, channels: info.channels },
      }));
    const bytes = await sharp(colours).joinChannel(half.data, { raw: half.raw }).png().toBuffer();
    const { output, info } = await upscale(bytes, 2);
    expect(info).toMatchObject({ width: 80, height: 60, channels: 4 });
    const alpha = (x: number) => output[(30 * 80 + x) * 4 + 3];
    expect([alpha(10), alpha(70)]).toEqual([0, 255]);
    const opaque = await upscale(colours, 2);
    expect(output[(30 * 80 + 50) * 4]).toBe(opaque.output[(30 * 80 + 50) * 3]);
  });
});

test('progress counts the tiles, and a stop ends the work at the next one without an output', async () => {
  const picture = await drawPicture(300, 40);
  const { progress } = await upscale(picture, 2);
  expect(progress.map(({ step, total }) => [step, total])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  expect(progress.at(-1)?.etaSeconds).toBe(0);
  await expect(upscale(picture, 2, 1)).rejects.toThrow(WorkloadStopped);
});

test.each<[UpscaleTier, Scale, number, number]>([
  ['slim', 2, 161, 139],
  ['slim', 4, 161, 139],
  ['medium', 2, 110, 60],
])(
  'tiles of %s joined at %ix equal the whole picture in every 8 bit value',
  async (tier, scale, width, height) => {
    expect(await differenceOfTiles(tier, scale, width, height)).toBe(0);
  },
);

/** How many 8 bit values of a drawn picture differ between the usual tiles and the whole at once. */
async function differenceOfTiles(tier: UpscaleTier, scale: Scale, width: number, height: number) {
  const { data } = await raw(await drawPicture(width, height));
  const picture: Picture = { width, height, channels: 3, samples: data };
  const whole = { x: 0, y: 0, width, height };
  const upscaler = await loadUpscaler(tier, scale);
  const task = { upscaler, picture, engine, afterTile: () => Promise.resolve() };
  const tiled = await enlargeColours(task);
  const untiled = await enlargeColours({ ...task, tiles: [{ core: whole, view: whole }] });
  return tiled.samples.filter((value, index) => value !== untiled.samples[index]).length;
}

/** PSNR in dB of a picture that was halved and enlarged again, by a cubic kernel and by the model, against itself. */
async function restore(
  bytes: Buffer | string,
  tier: UpscaleTier = 'slim',
): Promise<{ cubic: number; model: number }> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const size = { width: width - (width % 2), height: height - (height % 2) };
  const original = await raw(bytes, size);
  const image = { raw: { ...size, channels: 3 as const } };
  const small = await sharp(original.data, image)
    .resize(size.width / 2, size.height / 2, { kernel: 'cubic' })
    .png()
    .toBuffer();
  const cubic = await sharp(small).resize(size.width, size.height, { kernel: 'cubic' }).raw().toBuffer();
  const { output } = await upscale(small, 2, Infinity, tier);
  const shape = { ...size, channels: 3 };
  return { cubic: psnr(original.data, cubic, shape, 4), model: psnr(original.data, output, shape, 4) };
}

test('restores a drawn photo better than a cubic kernel', async () => {
  const { cubic, model } = await restore(await drawPhoto(240, 200));
  expect(model).toBeGreaterThan(cubic + 1);
});

describe('larger tiers', () => {
  const isThickHere = optionalPackages('models') !== null;
  if (!isThickHere)
    console.warn('The thick upscaler is not set up (npm run setup:models), so it is not tested.');

  test.each<[UpscaleTier, number]>([
    ['slim', 45.83],
    ['medium', 46.41],
    ...(isThickHere ? [['thick', 48.27] as [UpscaleTier, number]] : []),
  ])('%s restores a drawn photo to %d dB, where a cubic kernel has 40.43', async (tier, modelDb) => {
    const { cubic, model } = await restore(await drawPhoto(96, 80), tier);
    expect(Math.abs(cubic - 40.43)).toBeLessThan(0.1);
    expect(Math.abs(model - modelDb)).toBeLessThan(0.1);
  });

  if (isThickHere) {
    test('tiles of thick joined at 3x equal the whole picture in every 8 bit value', async () => {
      expect(await differenceOfTiles('thick', 3, 80, 16)).toBe(0);
    });
  } else {
    test('a worker without thick says what to set up', async () => {
      const run = upscale(await drawPicture(8, 8), 2, Infinity, 'thick');
      await expect(run).rejects.toMatchObject({
        code: 'NO_ENGINE',
        message: expect.stringContaining('npm run setup:models'),
      });
    });
  }
});

describe('real photos', () => {
  const photos = [
    ['coffee.png', 27.27, 28.8],
    ['chelsea.png', 31.68, 33.52],
    ['rocket.jpg', 28.03, 28.36],
  ] as const;
  const samples = fileURLToPath(new URL('../../../shared/samples/', import.meta.url));
  const present = photos.filter(([name]) => existsSync(join(samples, name)));
  if (present.length < photos.length)
    console.warn('Some of the real photos are absent, so they are not compared.');

  if (present.length > 0) {
    test.each(present)('%s: %d dB by a cubic kernel, %d dB by the model', async (name, cubicDb, modelDb) => {
      const { cubic, model } = await restore(join(samples, name));
      expect(Math.abs(cubic - cubicDb)).toBeLessThan(0.1);
      expect(Math.abs(model - modelDb)).toBeLessThan(0.1);
    });
  }
});
