import { setTimeout as delay } from 'node:timers/promises';
import type { NodeClient } from '@gjm/client/node.js';
import type { Stack } from '@gjm/stack/stack.js';
import { harms } from '../support/harm.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';
import { randomOf } from './random.js';

const jobCount = 1_000;
const aliveAtOnce = 20;

export interface HarmedJobs {
  count: number;
  /** How often each thing went wrong. */
  harms: Record<string, number>;
  /** How many tries they took in all. */
  attempts: number;
  faults: string[];
}

/** A thousand jobs under watch, twenty at a time, while harms come every few seconds. Every job must succeed once, its sequence whole. */
export async function runHarmedJobs(stack: Stack, client: NodeClient, seed: number): Promise<HarmedJobs> {
  const random = randomOf(seed);
  const result: HarmedJobs = { count: 0, harms: {}, attempts: 0, faults: [] };
  const over = new AbortController();
  const harming = harmUntil(over.signal, stack, random, result);
  let submitted = 0;
  await Promise.all(
    Array.from({ length: aliveAtOnce }, async () => {
      while (submitted++ < jobCount) await runOne(client, random, result);
    }),
  );
  over.abort();
  await harming;
  return result;
}

async function runOne(client: NodeClient, random: () => number, result: HarmedJobs): Promise<void> {
  const params = {
    steps: 1 + Math.floor(random() * 20),
    stepMs: Math.floor(random() * 60),
    logLines: Math.floor(random() * 50),
    artifactBytes: Math.floor(random() * 50_000),
  };
  const job = await watchJob(client, params);
  await job.ended;
  result.count++;
  result.faults.push(...faultsOfJob(job));
  const attempts = new Set(job.events.map((event) => event.attempt));
  result.attempts += [...attempts].filter((attempt) => attempt !== null).length;
  if (result.count % 100 === 0) console.error(`${result.count} jobs, ${result.faults.length} faults`);
}

async function harmUntil(
  over: AbortSignal,
  stack: Stack,
  random: () => number,
  result: HarmedJobs,
): Promise<void> {
  const names = Object.keys(harms);
  while (!over.aborted) {
    await delay(2_000 + random() * 3_000, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const name = names[Math.floor(random() * names.length)]!;
    // One in ten stays away for the 20 s of a real outage.
    const awayMs = random() < 0.1 ? 20_000 : 1_500;
    result.harms[name] = (result.harms[name] ?? 0) + 1;
    await harms[name]!(stack, awayMs).catch((error: unknown) => {
      // A part that is just being started again can not be harmed; that is no fault of the stack.
      console.error(`${name}: ${String(error)}`);
    });
  }
}
