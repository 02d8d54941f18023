import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { diagnostic } from '@gjm/core/workload/diagnostic.js';
import type { UpscaleTier } from '@gjm/core/workload/image-upscale.js';
import type { Engine } from '../../engines/engine.js';
import { openZip } from '../../workloads/archive/open-zip.js';
import { writeZip } from '../../workloads/archive/write-zip.js';
import { diagnosticWorkload } from '../../workloads/diagnostic.js';
import { imageUpscaleWorkload } from '../../workloads/image-upscale.js';
import { drawPicture } from '../../workloads/image/picture-under-test.js';
import { graphModelFiles, layersModelFiles } from '../../workloads/predict/models-under-test.js';
import { predictUnderTest } from '../../workloads/predict/predicted-under-test.js';
import { trainUnderTest } from '../../workloads/train/trained-under-test.js';
import { workloadContext } from '../workload-context.js';
import type { EngineCase } from './case.js';

/** A whole workload on the smallest input that reaches all its parts. */
export interface WorkloadCase extends EngineCase {
  kind: string;
}

/** After two or three steps of Adam, each of which moves a weight by about the learning rate of 1e-3. */
const trainedTolerance = 5e-5;

export const workloadCases: readonly WorkloadCase[] = [
  upscaleCase('slim'),
  upscaleCase('medium'),
  {
    kind: 'model.train',
    name: 'model.train, a mlp on a table',
    tolerance: trainedTolerance,
    async compute(engine, folder) {
      const data = join(folder, 'table.csv');
      await writeFile(data, table(20));
      return trainedNumbers(engine, folder, { model: 'mlp', epochs: 1, batchSize: 6 }, data);
    },
  },
  {
    kind: 'model.train',
    name: 'model.train, a cnn on pictures',
    tolerance: trainedTolerance,
    async compute(engine, folder) {
      const data = join(folder, 'pictures.zip');
      await writeZip(data, await pictures(10));
      return trainedNumbers(engine, folder, { epochs: 1, batchSize: 4, imageSize: 16 }, data);
    },
  },
  predictCase('a layers model', () => layersModelFiles()),
  predictCase('a graph model', () => graphModelFiles()),
  {
    kind: 'diagnostic',
    name: 'diagnostic',
    tolerance: 0,
    async compute(engine, outputDir) {
      const outputs = await diagnosticWorkload.run(
        workloadContext({ params: diagnostic.params.parse({ steps: 2 }), inputs: {}, outputDir, engine }),
      );
      return [outputs.length];
    },
  },
];

function upscaleCase(tier: UpscaleTier): WorkloadCase {
  return {
    kind: 'image.upscale',
    name: `image.upscale with the model ${tier}`,
    // One step of 8 bit, where a value lay just between two.
    tolerance: 1.01 / 255,
    async compute(engine, folder) {
      const [image, outputDir] = [join(folder, 'in.png'), await mkdtemp(join(folder, 'out-'))];
      await writeFile(image, await drawPicture(14, 11));
      await imageUpscaleWorkload.run(
        workloadContext({ params: { image: '', scale: 2 }, inputs: { image }, outputDir, tier, engine }),
      );
      return [...(await sharp(join(outputDir, 'output.png')).raw().toBuffer())];
    },
  };
}

type Files = Parameters<typeof writeZip>[1];

function predictCase(what: string, makeFiles: () => Files | Promise<Files>): WorkloadCase {
  return {
    kind: 'model.predict',
    name: `model.predict with ${what}`,
    tolerance: 1e-5,
    async compute(engine, folder) {
      const model = join(folder, 'model.zip');
      await writeZip(model, await makeFiles());
      const { json } = await predictUnderTest(engine, folder, model, 'x,y\n0.5,1\n-2,0\n0.001,-4\n');
      return json.predictions.flatMap(({ probabilities }) => probabilities?.map(Number) ?? []);
    },
  };
}

/** Losses, then all weights of the model. */
async function trainedNumbers(
  engine: Engine,
  folder: string,
  given: Parameters<typeof trainUnderTest>[2],
  data: string,
): Promise<number[]> {
  const { outputDir, metrics } = await trainUnderTest(engine, folder, given, { data });
  const archive = await openZip(join(outputDir, 'model.zip'));
  const bytes = await archive.files.find(({ name }) => name === 'weights.bin')!.read();
  await archive.close();
  const weights = new Float32Array(Uint8Array.from(bytes).buffer);
  return [metrics.measured.loss, ...metrics.epochs.map(({ loss }) => loss), ...weights];
}

function table(rows: number): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const [a, b] = [Math.sin(i), Math.cos(2.3 * i)];
    return `${a.toFixed(3)},${b.toFixed(3)},${i % 3 ? 'red' : 'blue'},${a + b > 0 ? 'yes' : 'no'}`;
  });
  return ['a,b,colour,answer', ...lines].join('\n');
}

async function pictures(count: number): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (let i = 0; i < count; i++) {
    const label = i % 2 ? 'stripes' : 'plain';
    files[`${label}/${i}.png`] = await (i % 2 ? drawPicture(16, 16 + i) : plainPicture(20 * i));
  }
  return files;
}

const plainPicture = (red: number): Promise<Buffer> =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: { r: red, g: 90, b: 40 } } })
    .png()
    .toBuffer();
