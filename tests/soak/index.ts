/**
 * `npm run soak`: a thousand watched jobs while everything that can go wrong goes wrong at random moments, a thousand reconnects of sockets
 * that are cut without a close, and ten thousand bad inputs. Writes `bench/results/soak.json`; exits 1 if anything was lost, doubled or left.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { startStack } from '@gjm/stack/stack.js';
import { untilAtRest } from '../support/leftovers.js';
import { newUser } from '../support/user.js';
import { runHarmedJobs } from './harmed-jobs.js';
import { runReconnects } from './reconnects.js';

const startedAt = new Date();
const seed = Number(process.argv[2] ?? 1);
const stack = await startStack({
  dataDir: join(tmpdir(), `gjm-soak-${process.pid}`),
  port: 0,
  workers: 2,
  cpuSlots: 2,
  diagnosticJobs: true,
  keepAlive: true,
  disposable: true,
  env: { GJM_LEASE_MS: '2000', GJM_GRACE_MS: '500', GJM_TICK_MS: '200', GJM_DISPATCH_MS: '3000' },
});
const client = await newUser(stack.url);
try {
  const reconnects = await runReconnects(stack, client);
  console.error(`reconnects: ${reconnects.count}, faults: ${reconnects.faults.length}`);
  const jobs = await runHarmedJobs(stack, client, seed);
  console.error(`jobs: ${jobs.count}, faults: ${jobs.faults.length}`);
  await untilAtRest(stack, 30_000);
  const faults = [...reconnects.faults, ...jobs.faults];
  const minutes = Math.round((Date.now() - startedAt.getTime()) / 6_000) / 10;
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const report = { at: startedAt, minutes, seed, machine, reconnects, jobs, atRest: true, faults };
  await writeFile(join(cloneRoot, 'bench', 'results', 'soak.json'), `${JSON.stringify(report, null, 2)}\n`);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  console.log(
    `${jobs.count} jobs, ${reconnects.count} reconnects, ${faults.length} faults in ${minutes} min`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  client.close();
  await stack.close();
}
