import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { ClaimAnswer } from '@gjm/core/wire/worker-api.js';
import { RunningClock } from '../running-clock.js';
import { ServerLink } from '../server-link.js';
import { FixtureRunners } from '../testing/fixture-runners.js';
import { until } from '../testing/until.js';
import { startWireServer, type WireServer } from '../testing/wire-server.js';
import { LivingAttempts } from './living-attempts.js';
import { Slot } from './slot.js';
import { type MessageContext, takeMessage } from './take-message.js';

let runners: FixtureRunners;
let server: WireServer;
let slot: Slot;
let context: MessageContext;
let link: ServerLink;
beforeEach(async () => {
  runners = new FixtureRunners();
  server = await startWireServer();
  link = new ServerLink(server.url, 'token');
  const log = pino({ level: 'silent' });
  const makeChild = () => runners.start('polite');
  slot = new Slot({ uid: 'cpu-test', index: 0, makeChild, log, onChange: () => undefined });
  slot.start();
  context = {
    ...{ workerId: () => 'wrk', link, clock: new RunningClock(), attempts: new LivingAttempts(), log },
    scratch: join(runners.folder, 'scratch'),
    useDevices: () => null,
    placeFor: () => null,
    ...{ hear: async () => undefined, pokedAtMs: () => 0, addProbe: () => undefined },
    ...{
      stopping: new AbortController().signal,
      onForbidden: () => undefined,
      afterPop: async () => undefined,
    },
  };
});
afterEach(async () => {
  await slot.close();
  context.clock.close();
  link.close();
  await server.close();
  await runners.close();
});

/** Runs an attempt to its recorded end, as a popped message would. */
async function attempt(attemptId: string, kind: string, ownerId: string, params = {}): Promise<void> {
  const claim = {
    ...{ granted: true, jobId: 'job', attemptNumber: 1, ownerId, kind, params, engine: 'wasm', tier: null },
    ...{ inputs: [], checkpoints: [], runMs: 60_000, leaseMs: 2_000, graceMs: 300 },
  };
  server.claims.set(attemptId, claim as unknown as ClaimAnswer);
  await takeMessage(context, slot, { type: 'attempt', attemptId, jobId: 'job', traceId: 'trace' });
  if ('forever' in params) context.attempts.stop([attemptId], 'cancel');
  await until(
    () => server.finishes.some((finish) => finish.attemptId === attemptId),
    `the end of ${attemptId}`,
  );
  await context.attempts.whenEmpty();
}

/** The child that the next attempt would get. */
async function nextChild() {
  const warm = await slot.acquire(10_000);
  if (!warm) throw new Error('no child');
  slot.release(warm, null);
  return warm.child;
}

describe('a child that loaded what a user made', () => {
  test('serves nobody afterwards, and is gone before its end is told', async () => {
    const first = await nextChild();
    await attempt('att_1', 'diagnostic', 'usr_1');
    expect((await nextChild()).pid).toBe(first.pid);
    await attempt('att_2', 'model.predict', 'usr_1');
    expect(server.finishes.at(-1)).toMatchObject({ outcome: 'SUCCEEDED', deviceClean: true });
    expect(first.isOver).toBe(true);
    const second = await nextChild();
    expect(second.pid).not.toBe(first.pid);
    await attempt('att_3', 'diagnostic', 'usr_2');
    expect((await nextChild()).pid).toBe(second.pid);
  });

  test('also when it was cancelled in the middle of it', async () => {
    const first = await nextChild();
    await attempt('att_1', 'model.predict', 'usr_1', { forever: true });
    expect(server.finishes.at(-1)).toMatchObject({ outcome: 'CANCELLED', deviceClean: true });
    expect(first.isOver).toBe(true);
    expect((await nextChild()).pid).not.toBe(first.pid);
  });
});
