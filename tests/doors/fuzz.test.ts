import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { residentMiB } from '../support/resident.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { makeFuzzInputs, type FuzzKind } from './fuzz-inputs.js';
import { runFuzz } from './fuzz-run.js';

const seed = 20_261_201;
const count = 2_000;
/** Memory may grow by this much over the run, in MiB: caches fill, nothing piles up. */
const growthMiB = 150;

let bench: ServerBench;
let server: ServerProcess & { address: string };
let database: pg.Client;
let person: SignedIn;
let kinds: FuzzKind[];

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
  await database.end();
  await bench.close();
});

test(`${count} bad requests: no fault, nothing told of the inside, nothing changed from outside, no growth`, async () => {
  const first = await residentMiB(server.pid);
  const run = await runFuzz(server.address, person.token, makeFuzzInputs(seed, count, kinds));
  expect(run.faults.slice(0, 3)).toEqual([]);
  expect(run.count).toBe(count);
  expect(run.statuses['200']).toBeGreaterThan(count / 4); // most get as far as a resolver
  expect((await residentMiB(server.pid)) - first).toBeLessThan(growthMiB);
  expect(server.output()).not.toMatch(/"level":"(error|fatal)"/);
  const { rows } = await database.query(
    `SELECT count(*)::int AS made FROM uploads WHERE name LIKE 'from a %'`,
  );
  expect(rows).toEqual([{ made: 0 }]);
  expect((await post(server.address, '{ viewer { id } }', { token: person.token })).data).toEqual({
    viewer: { id: person.id },
  });
}, 120_000);
