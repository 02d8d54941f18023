import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EngineOutOfMemory, type Engine } from '../../engines/engine.js';
import { wasmLoader } from '../../engines/wasm.js';
import { writeZip } from '../archive/write-zip.js';
import { drawPicture } from '../image/picture-under-test.js';
import { trainUnderTest } from './trained-under-test.js';

let folder: string;
let engine: Engine;
let data: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-room-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
  data = join(folder, 'pictures.zip');
  const picture = await drawPicture(16, 16);
  const names = Array.from({ length: 100 }, (_, n) => `${n % 2 ? 'odd' : 'even'}/${n}.png`);
  await writeZip(data, Object.fromEntries(names.map((name) => [name, picture])));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a batch that would not fit is refused before the first step, and leaves nothing', async () => {
  const large = { epochs: 1, imageSize: 224, batchSize: 4_096 };
  await expect(trainUnderTest(engine, folder, large, { data })).rejects.toThrow(EngineOutOfMemory);
});

test('no more than the examples there are counts: a large batch size alone is no harm', async () => {
  const small = { epochs: 1, imageSize: 16, batchSize: 4_096 };
  const { metrics } = await trainUnderTest(engine, folder, small, { data });
  expect(metrics.epochs).toHaveLength(1);
});
