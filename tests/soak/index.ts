/**
 * `npm run soak`: a thousand reconnects of sockets that are cut without a close, ten thousand bad inputs, very much output with slow readers,
 * watchers that come and go, and a thousand watched jobs while everything that can go wrong goes wrong at random moments. Writes `bench/results/soak.json`; exits 1 if anything was lost, doubled or left.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, unwrap } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { untilAtRest } from '../support/leftovers.js';
import { newUser } from '../support/user.js';
import { runBadInputs } from './bad-inputs.js';
import { inspectable } from './collect-garbage.js';
import { runComeAndGo } from './come-and-go.js';
import { runHarmedJobs } from './harmed-jobs.js';
import { runMuchOutput } from './much-output.js';
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
  env: {
    GJM_LEASE_MS: '2000',
    GJM_GRACE_MS: '500',
    GJM_TICK_MS: '200',
    GJM_DISPATCH_MS: '3000',
    GJM_LOGIN_FAILURES: '100000',
  },
  serverEnv: inspectable,
});
// The first account is an ADMIN, who may see everybody's jobs.
const client = await newUser(stack.url);
const { accessToken } = await signInByLink(stack);
try {
  const reconnects = told('reconnects', await runReconnects(stack, client, accessToken));
  const badInputs = told('bad inputs', await runBadInputs(stack, client, seed));
  const muchOutput = told('much output', await runMuchOutput(stack, client, accessToken));
  const comeAndGo = told('watchers that come and go', await runComeAndGo(stack, client, accessToken));
  const jobs = told('harmed jobs', await runHarmedJobs(stack, client, seed));
  await untilAtRest(stack, 30_000);
  const parts = { reconnects, badInputs, muchOutput, comeAndGo, jobs };
  const faults = Object.values(parts).flatMap((part) => part.faults);
  const minutes = Math.round((Date.now() - startedAt.getTime()) / 6_000) / 10;
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const report = { at: startedAt, minutes, seed, machine, ...parts, atRest: true, faults };
  await writeFile(join(cloneRoot, 'bench', 'results', 'soak.json'), `${JSON.stringify(report, null, 2)}\n`);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  console.log(
    `${jobs.count} jobs, ${reconnects.count} reconnects, ${badInputs.count} bad inputs, ${faults.length} faults in ${minutes} min`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  client.close();
  await stack.close();
}

/** Says how one part went. */
function told<Part extends { faults: string[] }>(name: string, part: Part): Part {
  const { faults, ...figures } = part;
  console.error(`${name}: ${faults.length} faults; ${JSON.stringify(figures)}`);
  return part;
}

/** The stack's own link makes an ADMIN too: for sockets that need a token of their own. */
async function signInByLink(stack: Stack): Promise<{ accessToken: string }> {
  const admin = createClient({ url: stack.url });
  const { accessToken } = unwrap(await admin.redeemSignInLink(stack.signInToken));
  admin.close();
  return { accessToken };
}
