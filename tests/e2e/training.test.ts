import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { harms } from '../support/harm.js';
import { faultsOfSequence } from '../support/sequence.js';
import { fastTiming } from '../support/timing.js';
import { newUser } from '../support/user.js';

/** Small steps over little data: an epoch takes about a second, so that every interruption finds it at work. */
const params = { model: 'mlp', epochs: 8, batchSize: 2 };
const rows = Array.from({ length: 600 }, (_, row) => [row % 7, (row * 5) % 11, (row * 3) % 13]);
const csv = [
  'a,b,c,label',
  ...rows.map((row) => `${row.join(',')},${(row[0]! * row[1]! + row[2]!) % 3}`),
].join('\n');

/** A stack of this file's own: it is broken on purpose. */
let stack: Stack;
let client: NodeClient;
let folder: string;
let data: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-training-'));
  stack = await startStack({
    dataDir: join(folder, 'data'),
    port: 0,
    cpuSlots: 1,
    keepAlive: true,
    env: fastTiming,
    disposable: true,
  });
  client = await newUser(stack.url);
  const path = join(folder, 'table.csv');
  await writeFile(path, csv);
  data = (await client.uploadFile(path)).id;
});
afterAll(async () => {
  client.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

interface Metrics {
  epochs: { loss: number }[];
  measured: { loss: number; accuracy: number };
}

/** Trains to the end; `interrupt` is called, once each, when these epochs are over. */
async function train(interrupt: Partial<Record<number, () => Promise<void>>> = {}) {
  const { job } = unwrap(
    await client.submit({ kind: 'model.train', params: { ...params, data }, maxAttempts: 5 }),
  );
  const events: JobEvent[] = [];
  const pending = { ...interrupt };
  const acts: Promise<void>[] = [];
  for await (const event of client.watch(job.id)) {
    events.push(event);
    if (event.__typename !== 'JobMetricEvent' || event.name !== 'epoch/loss') continue;
    const act = pending[event.step ?? 0];
    delete pending[event.step ?? 0];
    if (act) acts.push(act());
  }
  await Promise.all(acts);
  const ended = (await client.job(job.id))!;
  const file = ended.artifacts.find(({ name }) => name === 'metrics.json')!;
  const path = join(folder, `${job.id}.json`);
  await client.downloadArtifact(file, path);
  return { job: ended, events, metrics: JSON.parse(await readFile(path, 'utf8')) as Metrics };
}

/** What was done after so many ms: for whoever reads that the test failed. */
const moments: string[] = [];
/** At any moment of the next epoch. */
const soon = (name: string) => async () => {
  const ms = Math.random() * 300;
  moments.push(`${name} after ${ms} ms`);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await harms[name]!(stack, 0);
};

test('a training whose runner and worker are killed three times and whose worker is stopped goes on each time, and ends as if nothing had been', async () => {
  const whole = await train();
  const progress = whole.events.filter((event) => event.__typename === 'JobProgressEvent');
  expect(progress.map((event) => event.progress.etaSeconds)).toContainEqual(expect.any(Number));
  const names = whole.events.flatMap((event) => (event.__typename === 'JobMetricEvent' ? event.name : []));
  const byStep = ['loss', 'accuracy', 'val_loss', 'val_accuracy'];
  expect(new Set(names)).toEqual(new Set([...byStep, ...byStep.map((name) => `epoch/${name}`)]));
  expectCheckpoints(whole);
  const broken = await train({
    2: soon('a runner is killed'),
    4: soon('a worker is killed'),
    5: soon('a worker is told to stop'),
    6: soon('a runner is killed'),
  });

  expect(broken.job.status).toBe('SUCCEEDED');
  const outcomes = broken.job.attempts.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'VOID');
  expect([outcomes, moments]).toEqual([['FAILED', 'LOST', 'RELEASED', 'FAILED', 'SUCCEEDED'], moments]);
  expect(faultsOfSequence(broken.events)).toEqual([]);
  const lines = broken.events.flatMap((event) => (event.__typename === 'JobLogEvent' ? [event.text] : []));
  expect(lines.join('').match(/going on after epoch \d+ of 8, from the last checkpoint/g)).toHaveLength(4);

  expect(broken.metrics.epochs).toHaveLength(8);
  expect(broken.metrics.measured.loss).toBeCloseTo(whole.metrics.measured.loss, 3);
  expect(broken.metrics.measured.accuracy).toBeCloseTo(whole.metrics.measured.accuracy, 2);
});

/** Watchers hear of each epoch's checkpoint; the last three are kept, on their attempts, and are no result. */
function expectCheckpoints({ job, events }: Awaited<ReturnType<typeof train>>): void {
  const told = events.flatMap((event) =>
    event.__typename === 'JobArtifactEvent' && event.artifact.role === 'CHECKPOINT'
      ? [event.artifact.name]
      : [],
  );
  expect(told.at(-1)).toBe('checkpoint-epoch-8.zip');
  expect(new Set(told).size).toBe(told.length);
  expect(job.artifacts.map(({ name }) => name).sort()).toEqual(['metrics.json', 'model.zip']);
  const kept = job.attempts
    .flatMap(({ artifacts }) => artifacts)
    .filter(({ role }) => role === 'CHECKPOINT')
    .map(({ name }) => name);
  expect(kept).toHaveLength(3);
  expect(kept).toContain('checkpoint-epoch-8.zip');
}
