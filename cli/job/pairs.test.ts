import { expect, test } from '@jest/globals';
import { deviceSelectorOf } from './device-selector.js';
import { bytesOf, pairOf, secondsOf, wholeNumberOf } from './pairs.js';

test('pairs, times, counts and sizes are read, and refused with the option named', () => {
  expect(pairOf('a=b=c', '--label')).toEqual(['a', 'b=c']);
  expect(() => pairOf('a', '--label')).toThrow('--label takes key=value, not "a".');
  expect(() => pairOf('=a', '--label')).toThrow('--label');
  expect(['90', '90s', '1.5m', '2h', '1d'].map((text) => secondsOf(text, '--timeout'))).toEqual([
    90, 90, 90, 7_200, 86_400,
  ]);
  expect(() => secondsOf('soon', '--timeout')).toThrow('--timeout');
  expect(wholeNumberOf('5', '--limit', 1)).toBe(5);
  for (const bad of ['0', '-1', '1.5', 'x', '', '9'.repeat(20)])
    expect(() => wholeNumberOf(bad, '--limit', 1)).toThrow('--limit');
  expect(['8GB', '8 GiB', '1e9', 'much'].map(bytesOf)).toEqual([8e9, 8 * 2 ** 30, 1e9, 'much']);
});

test('wishes for a device make its selector', () => {
  expect(deviceSelectorOf([])).toBeNull();
  expect(
    deviceSelectorOf(['gpu', 'label.rack=b2', 'label.zone=1', 'minMemoryBytes=8GB', 'colour=red']),
  ).toEqual({
    kind: 'gpu',
    labels: { rack: 'b2', zone: '1' },
    minMemoryBytes: 8e9,
    colour: 'red',
  });
});
