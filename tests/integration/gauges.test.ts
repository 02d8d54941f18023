import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeClient } from '@gjm/client/node.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { scrape } from '../support/prometheus.js';
import { RawSocket } from '../support/raw-socket.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';

/** A stack of its own: gauges return to their start only where nobody else works. */
let stack: Stack;
let person: SignedIn;
let client: NodeClient;

beforeAll(async () => {
  stack = await startStack({
    dataDir: await mkdtemp(join(tmpdir(), 'gjm-gauges-')),
    ...{ port: 0, cpuSlots: 3, diagnosticJobs: true, disposable: true, env: fastTiming },
  });
  person = await signUp(stack.url);
  client = await newUser(stack.url);
}, 60_000);

afterAll(async () => {
  client?.close();
  await stack?.close();
});

/** Gauges that must be back; idle connections and the counters may differ. */
const returning = [
  'gjm_sockets{open}',
  'gjm_sockets{signed_in}',
  'gjm_operations',
  'gjm_redis_listeners',
  'gjm_watch_hubs',
  'gjm_watchers{job}',
  'gjm_watchers{jobs}',
  'gjm_watchers{devices}',
  'gjm_watchers_behind',
  'gjm_database_connections{in_use}',
  'gjm_database_requests_waiting',
  'gjm_attempts{running}',
  'gjm_attempts{dispatched}',
  'gjm_slots{taken}',
  'gjm_slots{held}',
  'gjm_slots{silent}',
  'gjm_jobs{queued}',
  'gjm_jobs{running}',
  ...['waiting', 'active', 'stalling', 'delayed', 'succeeded', 'failed', 'jobs'].map(
    (it) => `gjm_queue_entries{${it}}`,
  ),
];
async function look(): Promise<Record<string, number | undefined>> {
  const values = await scrape(stack.url);
  return Object.fromEntries(returning.map((name) => [name, values[name]]));
}

/** Of a stack that nobody uses: lists, devices, pokes and sessions listen for the life of the server. */
const atRest = Object.fromEntries(returning.map((name) => [name, name === 'gjm_redis_listeners' ? 4 : 0]));

/** The gauges come to this within 5 s. The server's own clock takes a connection now and then, so that one look may differ. */
async function untilAtRest(): Promise<void> {
  let last: object = {};
  const isThere = async () => JSON.stringify((last = await look())) === JSON.stringify(atRest);
  await until('the gauges are at rest', isThere).catch(() => expect(last).toEqual(atRest));
}

const operations = [
  'subscription ($id: ID!) { jobEvents(jobId: $id) { sequence } }',
  'subscription { jobsChanged { deletedId } }',
  'subscription { devicesChanged { id } }',
];

/** Begins five subscriptions of all sorts on a new socket. */
async function begin(jobIds: readonly string[], index: number): Promise<RawSocket> {
  const socket = await new RawSocket(stack.url).connect(person.token);
  for (let i = 0; i < 5; i++)
    socket.subscribe(
      String(i),
      operations[i % 3] as string,
      i % 3 === 0 ? { id: jobIds[(index + i) % jobIds.length] } : {},
    );
  return socket;
}

describe('gauges', () => {
  test('are all there, and zero but for what the server itself holds', async () => {
    await untilAtRest();
  });

  test('are back after 300 subscriptions that completed, were cut or were dropped before anything came, and 20 jobs', async () => {
    // The socket's user is the first account, an ADMIN, who sees every job.
    const watched = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        submitDiagnostic(client, { steps: 3, stepMs: 50 }, { name: `watched ${i}` }),
      ),
    );
    const jobs = Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const id = await submitDiagnostic(client, { steps: 2, stepMs: 10, logLines: i, artifactBytes: i });
        await watchToEnd(client, id);
      }),
    );
    const sockets = Array.from({ length: 60 }, (_, i) => begin(watched, i));
    let peak = 0;
    await Promise.all(
      sockets.map(async (opening, i) => {
        const socket = await opening;
        if (i % 3 === 2) return i % 2 ? socket.terminate() : socket.close(); // at once
        await socket.next(({ type }) => type === 'next' || type === 'complete');
        if (i % 9 === 0) peak = Math.max(peak, (await scrape(stack.url))['gjm_operations'] ?? 0);
        if (i % 3 === 1) return socket.terminate();
        for (let operation = 0; operation < 5; operation++)
          socket.send({ id: String(operation), type: 'complete' });
        socket.close();
      }),
    );
    expect(peak).toBeGreaterThan(0);
    await jobs;
    client.close();
    await untilAtRest();
  }, 60_000);

  test('stand at what is open while it is open', async () => {
    const jobId = await submitDiagnostic(
      await newUser(stack.url),
      {},
      { deviceSelector: { worker: 'none such' } },
    );
    const socket = await new RawSocket(stack.url).connect(person.token);
    operations.forEach((query, i) => socket.subscribe(String(i), query, i === 0 ? { id: jobId } : {}));
    const open = await until('all are counted', async () => {
      const values = await scrape(stack.url);
      return values['gjm_operations'] === 3 && values['gjm_watchers{devices}'] === 1 ? values : null;
    });
    expect(open).toMatchObject({
      'gjm_sockets{signed_in}': 1,
      gjm_redis_listeners: 5,
      gjm_watch_hubs: 1,
      'gjm_watchers{job}': 1,
      'gjm_watchers{jobs}': 1,
    });
    await until('the queued job is counted', async () => (await scrape(stack.url))['gjm_jobs{queued}'] === 1);
    socket.terminate();
    await until('nothing is open', async () => (await scrape(stack.url))['gjm_watchers{job}'] === 0);
  });
});
