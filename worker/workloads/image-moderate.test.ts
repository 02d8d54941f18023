import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import { moderationClasses } from '@gjm/core/workload/image-moderate.js';
import type { Engine } from '../engines/engine.js';
import { wasmLoader } from '../engines/wasm.js';
import { optionalPackages } from '../packages-folder.js';
import { workloadContext } from '../testing/workload-context.js';
import { type ProgressUpdate, WorkloadStopped } from './define.js';
import { imageModerateWorkload } from './image-moderate.js';
import { drawPhoto, drawPicture } from './image/picture-under-test.js';
import { warmTensors } from './warm-models.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-moderate-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Moderation {
  model: string;
  classes: string[];
  images: { image: number; file: string; class: string; probabilities: Record<string, number> }[];
}

/** Runs the workload on the bytes of images; `stopAfter` asks for a stop after so many. */
async function moderate(pictures: Uint8Array[], tier: string, stopAfter = Infinity) {
  const outputDir = await mkdtemp(join(folder, 'out-'));
  const inputs: Record<string, string> = {};
  for (const [index, bytes] of pictures.entries())
    await writeFile((inputs[`images.${index}`] = join(outputDir, `in-${index}`)), bytes);
  const progress: ProgressUpdate[] = [];
  const context = workloadContext({
    params: { images: pictures.map((_, index) => `upl_${index}`) },
    inputs,
    outputDir,
    tier,
    engine,
    stopRequested: () => progress.length >= stopAfter,
    progress: (update) => void progress.push(update),
  });
  const before = tf.memory().numTensors - warmTensors();
  try {
    const outputs = await imageModerateWorkload.run(context);
    expect(outputs.map(({ name }) => name)).toEqual(['moderation.json', 'moderation.csv']);
  } finally {
    expect(tf.memory().numTensors - warmTensors()).toBe(before);
  }
  const read = (name: string) => readFile(join(outputDir, name), 'utf8');
  const json = JSON.parse(await read('moderation.json')) as Moderation;
  return { json, csv: (await read('moderation.csv')).trimEnd().split('\r\n'), progress };
}

if (optionalPackages('models') === null) {
  console.warn('The moderation models are not set up (npm run setup:models), so they are not tested.');
  test('a worker without the models says what to set up', async () => {
    await expect(moderate([await drawPicture(8, 8)], 'mobilenet-v2')).rejects.toMatchObject({
      code: 'NO_ENGINE',
      message: expect.stringContaining('npm run setup:models'),
    });
  });
} else
  describe('with the models', () => {
    test.each([
      ['mobilenet-v2', 0.707],
      ['mobilenet-v2-mid', 0.94],
      ['inception-v3', 0.58],
    ])(
      '%s judges a drawn picture as is known of it (neutral %d), and all of a picture adds up to 1',
      async (tier, neutral) => {
        const pictures = [await drawPicture(300, 200), await drawPhoto(64, 64)];
        const { json, csv, progress } = await moderate(pictures, tier);
        expect(json).toMatchObject({ model: `nsfwjs ${tier}`, classes: [...moderationClasses] });
        expect(json.images).toMatchObject([
          {
            image: 1,
            file: 'upl_0',
            class: 'neutral',
            probabilities: { neutral: expect.closeTo(neutral, 1) },
          },
          { image: 2, file: 'upl_1' },
        ]);
        for (const { probabilities } of json.images) {
          const sum = Object.values(probabilities).reduce((total, value) => total + value, 0);
          expect(sum).toBeCloseTo(1, 4);
        }
        expect(csv[0]).toBe('image,file,class,drawing,hentai,neutral,porn,sexy');
        expect(csv).toHaveLength(3);
        expect(progress.map(({ step, total }) => [step, total])).toEqual([
          [1, 2],
          [2, 2],
        ]);
      },
    );

    test('a damaged picture is named by its place', async () => {
      const whole = await drawPicture(40, 40);
      const run = moderate([whole, whole.subarray(0, whole.length / 2)], 'mobilenet-v2');
      await expect(run).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'Picture 2 can not be used: it is damaged or too large.',
      });
    });

    test('a stop ends the work at the next picture', async () => {
      const picture = await drawPicture(20, 20);
      await expect(moderate([picture, picture], 'mobilenet-v2', 1)).rejects.toThrow(WorkloadStopped);
    });
  });
