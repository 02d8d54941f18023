import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser } from '../support/user.js';

let client: NodeClient;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
});
afterAll(() => client.close());

const csv = 'a,b\n1,x\n2,y\n3,x\n4,y\n';
const upload = async (name: string, text: string): Promise<string> =>
  (await client.upload({ name, source: new TextEncoder().encode(text) })).id;

/** The refusal of a submit, as paths with their sentences; null when it was taken in. */
async function refusalOf(params: Record<string, unknown>): Promise<string[] | null> {
  const result = await client.submit({ kind: 'model.train', params });
  if (result.__typename !== 'ValidationProblem') return null;
  return result.fields.map(({ path, message }) => `${path.join('.')} ${message}`);
}

test('data is a built-in word or a file of the right sort; what does not fit is told by its path before anything runs', async () => {
  expect(await refusalOf({ data: 'digitz' })).toEqual([
    'params.data must be "digits" or the id of a file of yours',
  ]);
  expect(await refusalOf({ data: await upload('a.bin', '\u0000\u0001\u0002') })).toEqual([
    'params.data must be application/zip or text/plain, but its first bytes say application/octet-stream',
  ]);
  expect(await refusalOf({ data: await upload('a.csv', csv) })).toEqual([
    'params.model must be mlp for a CSV file, which has no pictures',
  ]);
  expect(await refusalOf({ data: 'digits', epochs: 0, learningRate: 11, colour: 'red' })).toEqual(
    expect.arrayContaining([
      expect.stringContaining('params.epochs'),
      expect.stringContaining('params.learningRate'),
      'params.colour is not known here',
    ]),
  );
});

test('a table is learned, and its result says what came of it', async () => {
  const params = { data: await upload('a.csv', csv), model: 'mlp', epochs: 2, validationSplit: 0 };
  const result = await client.submit({ kind: 'model.train', params });
  if (result.__typename !== 'SubmitJobSuccess') throw new Error(JSON.stringify(result));
  for await (const _ of client.watch(result.job.id));
  const job = await client.job(result.job.id);
  expect(job).toMatchObject({ status: 'SUCCEEDED', failure: null });
  expect(job?.artifacts.map(({ name }) => name).sort()).toEqual(['metrics.json', 'model.zip']);
});

test('data that is at fault ends the job with one sentence and no second attempt', async () => {
  const params = { data: await upload('odd.csv', 'a,b\n1,x\n2\n'), model: 'mlp' };
  const result = await client.submit({ kind: 'model.train', params });
  if (result.__typename !== 'SubmitJobSuccess') throw new Error(JSON.stringify(result));
  for await (const _ of client.watch(result.job.id));
  const job = await client.job(result.job.id);
  expect(job?.failure).toMatchObject({ code: 'INVALID_INPUT', origin: 'USER', retryable: false });
  expect(job?.failure?.message).toContain('line 3: a row has another number of fields');
  expect(job?.attempts).toHaveLength(1);
});
