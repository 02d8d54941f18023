import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobEvent, NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { faultsOfSequence } from '../support/sequence.js';
import { newUser, statusesOf, submitDiagnostic } from '../support/user.js';

let client: NodeClient;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
});
afterAll(() => client.close());

interface Round {
  id: string;
  cancel: string;
  events: JobEvent[];
}

/** Submits, cancels after `waitMs`, and reads the whole sequence from the API once the job has ended. */
async function race(params: Record<string, unknown>, waitMs: number): Promise<Round> {
  const id = await submitDiagnostic(client, params);
  await delay(waitMs);
  const answer = await client.cancel(id);
  const events: JobEvent[] = [];
  for await (const event of client.watch(id)) events.push(event);
  return {
    id,
    cancel:
      answer.__typename === 'CancelJobSuccess' ? 'accepted' : ((answer as { code?: string }).code ?? '?'),
    events,
  };
}

/** 300 rounds, 20 at a time, each with its own wait. */
async function rounds(params: Record<string, unknown>, maxWaitMs: number): Promise<Round[]> {
  const all: Round[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (next < 300) all.push(await race(params, (next++ * 7) % maxWaitMs));
    }),
  );
  return all;
}

/** The one winner of a round, and a clear answer for the loser: anything else is a fault, in words. */
function faultsOfRound({ id, cancel, events }: Round): string[] {
  const faults = faultsOfSequence(events);
  const statuses = statusesOf(events);
  const end = statuses.at(-1);
  if (cancel === 'JOB_TERMINAL' && end !== 'SUCCEEDED') faults.push(`refused as terminal, yet ${end}`);
  if (cancel !== 'accepted' && cancel !== 'JOB_TERMINAL') faults.push(`answered ${cancel}`);
  if (end !== 'SUCCEEDED' && end !== 'CANCELLED') faults.push(`ended ${end}`);
  if (end === 'SUCCEEDED' && !statuses.includes('RUNNING')) faults.push('succeeded without running');
  return faults.map((fault) => `${id}: ${fault}`);
}

test('cancel against finish, 300 times: one winner, one terminal event, a clear answer for the loser', async () => {
  const all = await rounds({ steps: 1 }, 60);
  expect(all.flatMap(faultsOfRound)).toEqual([]);
  expect(all).toHaveLength(300);
});

test('cancel against claim, 300 times: never started, or started and then stopped', async () => {
  const all = await rounds({ steps: 50, stepMs: 20 }, 20);
  expect(all.flatMap(faultsOfRound)).toEqual([]);
  expect(all.every(({ events }) => statusesOf(events).at(-1) === 'CANCELLED')).toBe(true);
});
