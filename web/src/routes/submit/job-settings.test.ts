import { expect, test } from '@jest/globals';
import { inputOf, noSettings } from './job-settings.js';

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
