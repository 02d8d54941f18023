import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import type { Stack } from '@gjm/stack/stack.js';
import type { BareRun } from './bare-run.js';
import { figureOf, quantile, type Figure } from './figures.js';
import { runnersProcessorMs } from './processor-time.js';

const samplePath = join(import.meta.dirname, '..', '..', 'samples', 'harbour.png');
const upscaleFields = { name: 'execute phase of a job / of a bare script', unit: '×', bar: '≤ 1.05' };
const trainFields = { ...upscaleFields, name: 'execute phase of a training / of a bare script' };

/** A cnn that sees 800 digits twice: some seconds. */
const training = { data: 'digits', model: 'cnn', maxExamples: 1_000, epochs: 2 };

/** What is measured once as a job and once without one. */
interface Work {
  kind: string;
  params: Record<string, unknown>;
  /** Type of the event that is the phase's last one; its first is the line printed before the model is there. */
  last: 'progress' | 'log';
  /** The bare script's file and its first argument; then come the number of runs and the engine that the worker took. */
  script: [file: string, given: string];
}

/** Where jobs run, what they say, and who takes part. */
interface Place {
  client: NodeClient;
  database: pg.Client;
  stack: Stack;
}

/** A real upscale's execute phase, up to the last tile, against the same model, tiles and picture in a bare script. */
export async function upscalePhase(place: Place): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'gjm-bench-'));
  try {
    const path = join(folder, 'picture.png');
    await sharp(samplePath).resize(640, 480).png().toFile(path);
    const image = (await place.client.uploadFile(path)).id;
    return await figureOfRatios(upscaleFields, place, {
      kind: 'image.upscale',
      params: { image, scale: 2 },
      last: 'progress',
      script: ['bare-upscale.js', path],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A real training's execute phase, checkpoints and results included, against the bare loop over the same batches. */
export const trainPhase = (place: Place): Promise<Figure> =>
  figureOfRatios(trainFields, place, {
    kind: 'model.train',
    params: training,
    last: 'log',
    script: ['bare-train.js', JSON.stringify(training)],
  });

/** Five ratios, each of a bare run and the job right after it; first runs warm both up and do not count. */
async function figureOfRatios(
  fields: Pick<Figure, 'name' | 'unit' | 'bar'>,
  place: Place,
  work: Work,
): Promise<Figure> {
  const ratios: number[] = [];
  const processorRatios: number[] = [];
  const bareSeconds: number[] = [];
  const { engine } = await runJob(place, work);
  for (let run = 0; run < 5; run++) {
    const bare = await runBare(work, engine);
    const job = await runJob(place, work);
    bareSeconds.push(bare.ms / 1_000);
    ratios.push(job.ms / bare.ms);
    processorRatios.push(job.processorMs / bare.processorMs);
  }
  const beside = {
    median: quantile(ratios, 0.5),
    'processor time of the runner / of the script, median': quantile(processorRatios, 0.5),
    'bare script s': Math.min(...bareSeconds),
  };
  return figureOf(fields, ratios, 'low', (best) => best <= 1.05, beside);
}

/** The phase by the times at which its events were stored; the runner's processor time is of the whole attempt. */
async function runJob(
  { client, database, stack }: Place,
  { kind, params, last }: Work,
): Promise<BareRun & { engine: string }> {
  const workerPid = stack.pids()['worker']!;
  const before = runnersProcessorMs(workerPid);
  const { job } = unwrap(await client.submit({ kind, params }));
  for await (const _ of client.watch(job.id));
  const { rows } = await database.query<{ ms: number }>(
    `SELECT (extract(epoch FROM max(at) FILTER (WHERE type = $2) - min(at) FILTER (WHERE type = 'log')) * 1000)::float8 AS ms
     FROM job_events WHERE job_id = $1`,
    [job.id, last],
  );
  const attempt = (await client.job(job.id))?.attempts.at(-1);
  if (attempt?.outcome !== 'SUCCEEDED' || !attempt.engine) throw new Error(`A job of ${kind} failed.`);
  const { engine } = attempt;
  return { ms: rows[0]!.ms, processorMs: runnersProcessorMs(workerPid) - before, engine };
}

async function runBare({ script: [file, given] }: Work, engine: string): Promise<BareRun> {
  const child = fork(join(import.meta.dirname, file), [given, '2', engine]);
  const [runs] = (await once(child, 'message')) as [BareRun[]];
  if (child.exitCode === null) await once(child, 'exit');
  return runs[1]!;
}
