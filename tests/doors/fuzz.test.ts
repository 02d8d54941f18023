import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { makeFuzzInputs, type FuzzInput, type FuzzKind } from './fuzz-inputs.js';
import { innerWords } from './server-log.js';

const seed = 20_261_201;
const count = 2_000;
/** Requests on their way at once. */
const lanes = 16;
/** Memory may grow by this much over the run, in MiB: caches fill, nothing piles up. */
const growthMiB = 150;

let bench: ServerBench;
let server: ServerProcess & { address: string };
let database: pg.Client;
let person: SignedIn;
let kinds: FuzzKind[];
const agent = new Agent({ keepAlive: true, maxSockets: lanes });

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = { ...(await bench.install()), GJM_DIAGNOSTIC_JOBS: '1', GJM_LOGIN_FAILURES: '100000' };
  server = await bench.start(env);
  database = new pg.Client(env['DATABASE_URL' as keyof typeof env]);
  await database.connect();
  await signUp(server.address);
  person = await signUp(server.address);
  const { data } = await post<{ jobKinds: FuzzKind[] }>(
    server.address,
    '{ jobKinds { name paramsSchema } }',
    {
      token: person.token,
    },
  );
  kinds = data?.jobKinds ?? [];
}, 30_000);

afterAll(async () => {
  agent.destroy();
  await database.end();
  await bench.close();
});

/** Sends it as it is: `fetch` would refuse or repair some of it. */
const send = (input: FuzzInput): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.address);
    const headers = { authorization: `Bearer ${person.token}`, ...input.headers };
    const { method, path, body } = input;
    const outgoing = request({ agent, host: hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing
      .on('error', reject)
      .setTimeout(5_000, () => outgoing.destroy(new Error('No answer within 5 s.')));
    outgoing.end(body);
  });

async function residentMiB(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test(`${count} bad requests: no fault, nothing told of the inside, nothing changed from outside, no growth`, async () => {
  const inputs = makeFuzzInputs(seed, count, kinds);
  const faults: unknown[] = [];
  const statuses = new Map<number, number>();
  let started = 0;
  const lane = async () => {
    for (const input of inputs) {
      started++;
      const { status, text } = await send(input).catch((error: Error) => ({
        status: 0,
        text: error.message,
      }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // What a caller sent may come back in a message; what stands for our inside may not.
      if (status >= 500 || status === 0 || /"INTERNAL"/.test(text) || innerWords.test(text))
        faults.push({ input, status, text: text.slice(0, 500) });
    }
  };
  const first = await residentMiB();
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(faults.slice(0, 3)).toEqual([]);
  expect(started).toBe(count);
  expect(statuses.get(200)).toBeGreaterThan(count / 4); // most get as far as a resolver
  expect((await residentMiB()) - first).toBeLessThan(growthMiB);
  expect(server.output()).not.toMatch(/"level":"(error|fatal)"/);
  const { rows } = await database.query(
    `SELECT count(*)::int AS made FROM uploads WHERE name LIKE 'from a %'`,
  );
  expect(rows).toEqual([{ made: 0 }]);
  expect((await post(server.address, '{ viewer { id } }', { token: person.token })).data).toEqual({
    viewer: { id: person.id },
  });
}, 120_000);
