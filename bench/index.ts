/** `npm run bench [-- name …]`: measures the bars on stacks of its own, prints them and keeps them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack, type StackOptions } from '@gjm/stack/stack.js';
import { engineFigures } from './engine-phase.js';
import { trainPhase, upscalePhase } from './execute-phase.js';
import { printTable, type Figure } from './figures.js';
import { firstLineLatency, nextJobLatency } from './latency.js';
import { pageFigures } from './pages.js';
import { cancelFigure, workerLossFigure } from './recovery.js';
import { firstLoadFigure, startupFigure } from './startup.js';
import { telemetryFigure } from './telemetry.js';
import { lifecycleThroughput, submitRate } from './throughput.js';
import { watcherFigures } from './watchers.js';
import { writeFigures } from './write-figures.js';

interface Bench {
  stack: Stack;
  client: NodeClient;
  database: pg.Client;
}

const benches: Record<string, { options: StackOptions | null; run: (bench: Bench) => Promise<Figure[]> }> = {
  'first-line': {
    options: { cpuSlots: 1 },
    run: ({ client, database, stack }) => firstLineLatency(client, database, stack.redisUrl),
  },
  'next-job': {
    options: { cpuSlots: 1 },
    run: async ({ client, database }) => [await nextJobLatency(client, database)],
  },
  throughput: {
    options: { cpuSlots: 8 },
    run: ({ client, database, stack }) => lifecycleThroughput(client, database, stack.pids()['server']!),
  },
  submits: {
    options: { workers: 0 },
    run: async ({ client, stack }) => [await submitRate(client, stack.pids()['server']!)],
  },
  'execute-phase': {
    options: { cpuSlots: 1 },
    run: async (bench) => [await upscalePhase(bench)],
  },
  'train-phase': {
    options: { cpuSlots: 1 },
    run: async (bench) => [await trainPhase(bench)],
  },
  watchers: {
    options: { workers: 0 },
    run: ({ client, stack }) => watcherFigures(client, stack.url, stack.pids()['server']!),
  },
  pages: { options: { workers: 0 }, run: ({ client, database }) => pageFigures(client, database) },
  recovery: {
    options: { workers: 2, env: {} },
    run: async ({ client, stack }) => [await workerLossFigure(client, stack), await cancelFigure(client)],
  },
  engines: { options: null, run: () => engineFigures() },
  telemetry: { options: null, run: async () => [await telemetryFigure()] },
  startup: { options: null, run: async () => [await startupFigure(), await firstLoadFigure()] },
};

/** Runs `work` on a fresh stack that leaves nothing behind. */
async function onStack<T>(options: StackOptions | null, work: (bench: Bench) => Promise<T>): Promise<T> {
  if (!options) return work({} as Bench); // it starts what it measures
  const dataDir = join(tmpdir(), `gjm-bench-${process.pid}`);
  const stack = await startStack({ ...options, dataDir, port: 0, diagnosticJobs: true, disposable: true });
  const client = createClient({ url: stack.url });
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  try {
    await database.connect();
    unwrap(await client.redeemSignInLink(stack.signInToken));
    return await work({ stack, client, database });
  } finally {
    client.close();
    await database.end();
    await stack.close();
  }
}

const named = process.argv.slice(2).filter((name) => name in benches);
const figures: Figure[] = [];
for (const [name, { options, run }] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.error(`${name} …`);
  figures.push(...(await onStack(options, run)));
}
printTable(figures);
await writeFigures(figures, named.length === 0);
