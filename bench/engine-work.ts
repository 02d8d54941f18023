import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { optionalPackages } from '@gjm/worker/packages-folder.js';

const samples = join(import.meta.dirname, '..', '..', 'samples');

/** One attempt's work, as a runner is told it; the file fields of `params` are in `inputs`, as absolute paths. */
export interface EngineWork {
  name: string;
  kind: string;
  tier: string | null;
  params: Record<string, unknown>;
  inputs: Record<string, string>;
  outputDir: string;
}

type Plan = Omit<EngineWork, 'outputDir'>;

/**
 * Work of every kind that computes on an engine, about a second of each on WebAssembly; on an engine that is `slow`, of the same kinds with
 * less to do. `device.benchmark` is not among them: it takes the time that it is given.
 */
export async function engineWork(folder: string, isSlow: boolean): Promise<EngineWork[]> {
  const image = join(folder, 'picture.png');
  const side = isSlow ? 40 : 240;
  await sharp(join(samples, 'harbour.png')).resize(side, side).png().toFile(image);
  const table = join(folder, 'table.csv');
  await writeFile(table, rowsOfNumbers(isSlow ? 1_500 : 10_000));
  const longTable = join(folder, 'long-table.csv');
  await writeFile(longTable, rowsOfNumbers(isSlow ? 15_000 : 60_000));
  const upscale = { kind: 'image.upscale', params: { scale: 2 }, inputs: { image } };
  const training = { kind: 'model.train', tier: null };
  const plans: Plan[] = [
    { ...upscale, name: 'image.upscale slim', tier: 'slim' },
    ...(isSlow ? [] : [{ ...upscale, name: 'image.upscale medium', tier: 'medium' }]),
    {
      ...training,
      name: 'model.train cnn',
      params: { data: 'digits', epochs: 1, maxExamples: isSlow ? 40 : 500 },
      inputs: {},
    },
    { ...training, name: 'model.train mlp', params: { model: 'mlp', epochs: 3 }, inputs: { data: table } },
    {
      ...{ name: 'model.predict', kind: 'model.predict', tier: null, params: {} },
      // What the training before it has made.
      inputs: { model: join(folder, 'model.train mlp', 'model.zip'), input: longTable },
    },
    ...(isSlow ? [] : [transcription]),
    ...(optionalPackages('models') ? [moderation(image, isSlow ? 1 : 12)] : []),
  ];
  const works = plans.map((plan) => ({ ...plan, outputDir: join(folder, plan.name) }));
  for (const { outputDir } of works) await mkdir(join(outputDir, 'checkpoints'), { recursive: true });
  return works;
}

const transcription: Plan = {
  ...{ name: 'audio.transcribe', kind: 'audio.transcribe', tier: null, params: {} },
  inputs: { audio: join(samples, 'scale.wav') },
};

const moderation = (image: string, count: number): Plan => ({
  ...{ name: 'image.moderate', kind: 'image.moderate', tier: 'mobilenet-v2', params: {} },
  inputs: Object.fromEntries(Array.from({ length: count }, (_, place) => [`images.${place}`, image])),
});

function rowsOfNumbers(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const [a, b] = [Math.sin(n * 12.9) * 5, Math.cos(n * 78.2) * 5];
    return `${a.toFixed(4)},${b.toFixed(4)},${a > b ? 'left' : 'right'}`;
  });
  return `a,b,side\n${rows.join('\n')}\n`;
}
