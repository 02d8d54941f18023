/** `npm run bench [-- name …]`: measures the bars on a stack of its own and writes `bench/results/latest.json`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack, type StackOptions } from '@gjm/stack/stack.js';
import { executePhase } from './execute-phase.js';
import { printTable, type Figure } from './figures.js';
import { firstLineLatency, nextJobLatency } from './latency.js';
import { lifecycleThroughput, submitRate } from './throughput.js';

interface Bench {
  stack: Stack;
  client: NodeClient;
  database: pg.Client;
}

const benches: { name: string; options: StackOptions; run: (bench: Bench) => Promise<Figure[]> }[] = [
  {
    name: 'first-line',
    options: { cpuSlots: 1 },
    run: ({ client, database, stack }) => firstLineLatency(client, database, stack.redisUrl),
  },
  {
    name: 'next-job',
    options: { cpuSlots: 1 },
    run: async ({ client, database }) => [await nextJobLatency(client, database)],
  },
  {
    name: 'throughput',
    options: { cpuSlots: 8 },
    run: ({ client, database, stack }) => lifecycleThroughput(client, database, stack.pids()['server']!),
  },
  {
    name: 'submits',
    options: { workers: 0 },
    run: async ({ client, stack }) => [await submitRate(client, stack.pids()['server']!)],
  },
  {
    name: 'execute-phase',
    options: { cpuSlots: 1 },
    run: async ({ client, database }) => [await executePhase(client, database)],
  },
];

/** Runs `work` on a fresh stack that leaves nothing behind. */
async function onStack<T>(options: StackOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
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

const wanted = process.argv.slice(2).filter((name) => benches.some((bench) => bench.name === name));
const figures: Figure[] = [];
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  console.error(`${bench.name} …`);
  figures.push(...(await onStack(bench.options, bench.run)));
}
printTable(figures);
const folder = join(import.meta.dirname, '..', 'results');
await mkdir(folder, { recursive: true });
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
await writeFile(
  join(folder, 'latest.json'),
  `${JSON.stringify({ at: new Date(), machine, figures }, null, 2)}\n`,
);
