import { expect, test } from '@jest/globals';
import type { JobDetails } from '@gjm/client/index.js';
import { inputOf, noSettings, settingsOf } from './job-settings.js';

test('what is left empty is left out', () => {
  expect(inputOf('diagnostic', { steps: 1 }, noSettings)).toEqual({
    kind: 'diagnostic',
    params: { steps: 1 },
  });
});

test('labels, numbers and the kind of device are sent as the API takes them', () => {
  const settings = {
    ...noSettings,
    name: ' a ',
    labels: 'team=vision, x = y=z,flag',
    priority: '70',
    timeoutSeconds: 'soon',
    device: 'cpu' as const,
  };
  expect(inputOf('diagnostic', {}, settings)).toEqual({
    kind: 'diagnostic',
    params: {},
    name: 'a',
    labels: { team: 'vision', x: 'y=z', flag: '' },
    priority: 70,
    timeoutSeconds: -1,
    deviceSelector: { kind: 'cpu' },
  });
});

test('an earlier job’s settings come back whole, defaults left out', () => {
  const job = { name: 'a', labels: { team: 'x' }, priority: 50, maxAttempts: 3, timeoutSeconds: 86_400 };
  const plain = { ...job, deviceSelector: {}, requestedTier: null } as unknown as JobDetails;
  expect(inputOf('k', {}, settingsOf(plain))).toEqual({
    kind: 'k',
    params: {},
    name: 'a',
    labels: { team: 'x' },
  });
  const odd = {
    priority: 9,
    maxAttempts: 1,
    timeoutSeconds: 60,
    deviceSelector: { kind: 'gpu', worker: 'rig', labels: { rack: 'b2' } },
  };
  expect(inputOf('k', {}, settingsOf({ ...plain, ...odd, requestedTier: 'slim' }))).toMatchObject({
    ...odd,
    tier: 'slim',
  });
});
