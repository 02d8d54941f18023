import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import { cpuLoader } from '../engines/cpu.js';
import { loadModelFolder } from './model-folder.js';
import { warmModel, warmTensors } from './warm-models.js';

let folder: string;
beforeAll(async () => {
  await cpuLoader.load();
  folder = await mkdtemp(join(tmpdir(), 'gjm-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const tinyModel = () => sequential({ layers: [layers.dense({ units: 2, inputShape: [3] })] });

async function saveTo(paths: string[]): Promise<void> {
  await tinyModel().save({
    async save({ modelTopology, weightSpecs, weightData }) {
      const weights = Buffer.from(weightData as ArrayBuffer);
      await writeFile(join(folder, 'a.bin'), weights.subarray(0, 8));
      await writeFile(join(folder, 'b.bin'), weights.subarray(8));
      const model = { modelTopology, weightsManifest: [{ paths, weights: weightSpecs }] };
      await writeFile(join(folder, 'model.json'), JSON.stringify(model));
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } };
    },
  });
}

test('a model in several shards loads; a shard outside the folder is refused', async () => {
  await saveTo(['a.bin', 'b.bin']);
  const model = await loadModelFolder(folder);
  expect(model.getWeights().map(({ shape }) => shape)).toEqual([[3, 2], [2]]);
  await saveTo(['a.bin', '../b.bin']);
  await expect(loadModelFolder(folder)).rejects.toThrow('../b.bin does not lie beside');
});

test('a warm model is loaded once, and the one not used for longest makes room', async () => {
  const start = tf.memory().numTensors;
  let loads = 0;
  const use = (key: string) =>
    warmModel(key, () => {
      loads++;
      return Promise.resolve(tinyModel());
    });
  for (const key of ['a', 'b', 'c', 'd', 'a', 'e', 'a']) await use(key);
  expect(loads).toBe(5);
  // Five were loaded, b went: four models of a kernel and a bias.
  expect(warmTensors()).toBe(8);
  expect(tf.memory().numTensors - start).toBe(8);
  await use('b');
  expect(loads).toBe(6);
});
