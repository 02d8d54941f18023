import { expect, test } from '@jest/globals';
import { readDecision } from './decision-data.js';

test('candidates are ranked, the chosen one first, and each blocked one says why', () => {
  const { candidates } = readDecision({
    deviceId: 'b',
    engine: 'wasm',
    candidates: [
      {
        deviceId: 'a',
        deviceName: 'A',
        workerName: 'w',
        block: { code: 'NO_MEMORY', message: 'm' },
        score: null,
      },
      { deviceId: 'b', deviceName: 'B', workerName: 'w', block: null, score: 0.5 },
    ],
  });
  expect(candidates.map(({ name, isChosen, block }) => [name, isChosen, block?.code])).toEqual([
    ['B', true, undefined],
    ['A', false, 'NO_MEMORY'],
  ]);
});

test('checks are read, and what has another shape is shown as it is', () => {
  expect(
    readDecision({ accept: true, checks: [{ name: 'n', passed: true, saw: 's' }], ladder: [1, 'b'] }),
  ).toEqual({
    candidates: [],
    checks: [{ name: 'n', passed: true, saw: 's' }],
    others: [['ladder', '1, b']],
  });
  expect(readDecision({ candidates: 'none', checks: [null, 3] })).toMatchObject({
    candidates: [],
    checks: [],
  });
});
