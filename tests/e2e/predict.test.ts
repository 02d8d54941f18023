import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { artifactsOf, trainedModel, uploadText } from '../support/trained-model.js';
import { logOf, newUser, watchToEnd } from '../support/user.js';

let client: NodeClient;
let folder: string;
let model: string;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
  folder = await mkdtemp(join(tmpdir(), 'gjm-predict-'));
  model = (await trainedModel(client)).id;
});
afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

test('a training’s model.zip is used over an uploaded table by its artifact id, and both results are fetched', async () => {
  const input = await uploadText(client, 'new.csv', 'age,size\n1,0\n2,39\n3,\n');
  const artifacts = await artifactsOf(client, 'model.predict', { model, input });
  const [csvPath, jsonPath] = [join(folder, 'predictions.csv'), join(folder, 'predictions.json')];
  await client.downloadArtifact(artifacts['predictions.csv']!, csvPath);
  await client.downloadArtifact(artifacts['predictions.json']!, jsonPath);
  const [header, ...rows] = (await readFile(csvPath, 'utf8')).trimEnd().split('\r\n');
  expect(header).toBe('example,label,probability,p:large,p:small');
  const { labels, predictions } = JSON.parse(await readFile(jsonPath, 'utf8')) as {
    labels: string[];
    predictions: { example: number; label: string; probability: number; probabilities: number[] }[];
  };
  expect(labels).toEqual(['large', 'small']);
  expect(rows).toEqual(
    predictions.map(({ example, label, probability, probabilities }) =>
      [example, label, probability, ...probabilities].join(','),
    ),
  );
  expect(predictions.map(({ example }) => example)).toEqual([1, 2, 3]);
  for (const { label, probability, probabilities } of predictions) {
    expect(probabilities[0]! + probabilities[1]!).toBeCloseTo(1, 5);
    expect(probability).toBe(Math.max(...probabilities));
    expect(label).toBe(labels[probabilities.indexOf(probability)]);
  }
});

test('what is wrong with a model or an input is told in one sentence after one attempt', async () => {
  const good = await uploadText(client, 'new.csv', 'age,size\n1,0\n');
  const wrong = await uploadText(client, 'wrong.csv', 'age,weight\n1,0\n');
  const { job } = unwrap(await client.submit({ kind: 'model.predict', params: { model, input: wrong } }));
  const events = await watchToEnd(client, job.id);
  const ended = await client.job(job.id);
  expect(ended).toMatchObject({
    status: 'FAILED',
    failure: { code: 'INVALID_INPUT', message: 'The CSV file has no column "size", which the model needs.' },
  });
  expect(ended?.attempts).toHaveLength(1);
  expect(logOf(events)).toContain('layers model: [2] → 2 classes');
  await expect(
    client.submit({ kind: 'model.predict', params: { model: good, input: good } }),
  ).resolves.toMatchObject({
    __typename: 'ValidationProblem',
    fields: [{ path: ['params', 'model'] }],
  });
});
