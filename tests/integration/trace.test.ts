import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';

const { url, databaseUrl } = sharedStack();
let database: pg.Client;
let token: string;

beforeAll(async () => {
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  ({ token } = await signUp(url));
});
afterAll(() => database.end());

/** The trace id that a job has which was submitted with this header. */
async function traceOf(traceparent?: string): Promise<string | null> {
  const query =
    'mutation { submitJob(input: { kind: "diagnostic", params: {} }) { ... on SubmitJobSuccess { job { id } } } }';
  const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
  const { data } = await post<{ submitJob: { job: { id: string } } }>(url, query, { token, headers });
  const { rows } = await database.query<{ trace_id: string | null }>(
    'SELECT trace_id FROM jobs WHERE id = $1',
    [data?.submitJob.job.id],
  );
  return rows[0]?.trace_id ?? null;
}

test('a job keeps the trace of the request that submitted it; a bad or missing one is replaced', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  expect(await traceOf(`00-${traceId}-00f067aa0ba902b7-01`)).toBe(traceId);
  for (const bad of [
    undefined,
    'x',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
  ]) {
    const made = await traceOf(bad);
    expect(made).toMatch(/^[0-9a-f]{32}$/);
    expect(made).not.toBe(traceId);
  }
});
