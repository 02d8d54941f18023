import { beforeAll, expect, test } from '@jest/globals';
import { ask, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';

const { url } = sharedStack();
let token: string;

beforeAll(async () => {
  ({ token } = await signUp(url));
});

async function refusalOf(input: object) {
  const submit = `mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ${problemFields} } }`;
  const { code, fields } = await ask(url, submit, { variables: { input }, token });
  return { code, fields: Object.fromEntries((fields ?? []).map((it) => [it.path.join('.'), it.message])) };
}
const unknownFile = `upl_0${'7'.repeat(25)}`;

test('settings, params and files that are wrong are told in one answer, in plain words', async () => {
  const refusal = await refusalOf({
    kind: 'image.upscale',
    params: { image: unknownFile, scale: 5, sclae: 2 },
    priority: 101,
    maxAttempts: 0,
    timeoutSeconds: 0,
    deviceSelector: { kind: 'tpu', colour: 'red' },
    name: 'x'.repeat(201),
  });
  expect(refusal).toEqual({
    code: 'VALIDATION',
    fields: {
      priority: 'must be at most 100',
      maxAttempts: 'must be at least 1',
      timeoutSeconds: 'must be at least 1',
      'deviceSelector.kind': 'is not one of gpu, cpu',
      'deviceSelector.colour': 'is not known here',
      name: 'must have at most 200 characters',
      'params.scale': 'is not one of 2, 3, 4, 8',
      'params.sclae': 'is not known here',
      'params.image': expect.any(String),
    },
  });
});

test('what is not carried out yet is told beside bad params', async () => {
  const { fields } = await refusalOf({
    kind: 'diagnostic',
    params: { steps: 0 },
    devices: 2,
    tier: 'large',
    dependsOn: ['job_x'],
  });
  expect(Object.keys(fields).sort()).toEqual(['dependsOn', 'devices', 'params.steps', 'tier']);
});

test('a tier that the kind does not have is told with those it has', async () => {
  const { fields } = await refusalOf({
    kind: 'image.upscale',
    params: { image: unknownFile },
    tier: 'large',
  });
  expect(fields).toEqual({
    tier: 'is not one of slim, medium, thick',
    'params.image': expect.any(String),
  });
});

test('an unknown kind is told beside bad settings, under its own code', async () => {
  expect(await refusalOf({ kind: 'no.such', params: { x: 1 }, priority: -1 })).toEqual({
    code: 'UNKNOWN_KIND',
    fields: {
      kind: 'is no kind of job that this installation takes',
      priority: 'must be at least 0',
    },
  });
});

test('a needed param that is missing is told as such', async () => {
  const { fields } = await refusalOf({ kind: 'image.upscale', params: {}, priority: 101 });
  expect(fields).toEqual({ priority: 'must be at most 100', 'params.image': 'is needed' });
});

test('a file that is not uploaded yet gives its own refusal only when all else is right', async () => {
  const announce = `mutation { createUpload(input: { name: "x" }) { __typename ... on CreateUploadSuccess { upload { id } } } }`;
  const { upload } = await ask<{ upload: { id: string } }>(url, announce, { token });
  const params = { image: upload?.id };
  expect((await refusalOf({ kind: 'image.upscale', params })).code).toBe('UPLOAD_INCOMPLETE');
  expect((await refusalOf({ kind: 'image.upscale', params, priority: 101 })).code).toBe('VALIDATION');
});

test('several devices are for programs alone', async () => {
  const { fields } = await refusalOf({ kind: 'diagnostic', params: {}, devices: 2 });
  expect(fields).toEqual({ devices: 'must be 1: only jobs that run programs can have more' });
});
