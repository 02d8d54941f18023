import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { NodeClient } from '@gjm/client/node.js';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic } from '../support/user.js';

const { url } = sharedStack();
let owner: NodeClient;
let jobId: string;
let other: { token: string };

beforeAll(async () => {
  owner = await newUser(url);
  other = await signUp(url);
  jobId = await submitDiagnostic(owner, { steps: 1_000, stepMs: 100 }, { name: 'a secret name' });
  await until('it runs', async () => (await owner.job(jobId))?.status === 'RUNNING', 5_000);
});

afterAll(async () => {
  await owner.cancel(jobId);
  owner.close();
});

interface Slot {
  index: number;
  holderName: string | null;
  busySince: string | null;
  etaSeconds: number | null;
}

test('every signed-in user sees who has a slot since when, and not by which job', async () => {
  const { data, text } = await post<{ devices: { slots: Slot[] }[] }>(
    url,
    '{ devices { slots { index holderName busySince etaSeconds } } }',
    other,
  );
  const slots = (data?.devices ?? []).flatMap((device) => device.slots);
  expect(slots.length).toBeGreaterThanOrEqual(3);
  const held = slots.find(({ holderName }) => holderName === 'Test User');
  expect(Date.parse(held?.busySince ?? '')).toBeLessThanOrEqual(Date.now());
  expect(slots.filter(({ holderName }) => holderName === null)).toEqual(
    expect.arrayContaining([expect.objectContaining({ busySince: null, etaSeconds: null })]),
  );
  expect(text).not.toContain(jobId);
  expect(text).not.toContain('a secret name');
});

test('a slot that is taken and let go again is told live, and little else', async () => {
  const stop = new AbortController();
  const holders: number[] = [];
  const watching = (async () => {
    for await (const change of owner.watchDevices({ signal: stop.signal }))
      if (change.kind !== 'read-again')
        holders.push(change.value.slots.filter(({ holderName }) => holderName !== null).length);
  })().catch(() => undefined);
  const second = await submitDiagnostic(owner, { steps: 1, stepMs: 4_000 });
  await until('the second is told', () => holders.some((count) => count >= 2), 10_000);
  await owner.cancel(second);
  await until('its end is told', () => (holders.at(-1) ?? 9) < Math.max(...holders), 10_000);
  stop.abort();
  await watching;
});

test('what a rerun needs of a job can be read', async () => {
  const settings = { deviceSelector: { kind: 'cpu' }, timeoutSeconds: 77, maxAttempts: 2, priority: 9 };
  const id = await submitDiagnostic(owner, {}, settings);
  expect(await owner.job(id)).toMatchObject({ ...settings, requestedTier: null });
  const plain = await submitDiagnostic(owner, {});
  expect(await owner.job(plain)).toMatchObject({
    deviceSelector: {},
    timeoutSeconds: 86_400,
    maxAttempts: 3,
    requestedTier: null,
  });
});
