import { expect, test } from '@jest/globals';
import type { JobEvent } from '@gjm/client/index.js';
import { pathOf, pointAt, scaleOf, ticksBetween } from './chart-scale.js';
import { MetricBook, quantityOf } from './metric-book.js';

const metric = (sequence: number, name: string, step: number | null, value: number | null): JobEvent =>
  ({
    __typename: 'JobMetricEvent',
    sequence,
    name,
    step,
    value,
    special: value === null ? 'NaN' : null,
  }) as unknown as JobEvent;

test('values come together by quantity, each once, in the order of their events', () => {
  const book = new MetricBook();
  book.add([metric(5, 'loss', 2, 0.5), metric(6, 'val_loss', 2, 0.61234567)]);
  book.add([metric(3, 'loss', 1, 1), metric(5, 'loss', 2, 0.5), metric(9, 'acc', null, null)]);
  expect(book.groups().map(({ name, series }) => [name, series.map((it) => it.points.length)])).toEqual([
    ['loss', [2, 1]],
    ['acc', [1]],
  ]);
  expect([...book.latest()]).toEqual([
    ['loss', '0.5'],
    ['val_loss', '0.6123'],
    ['acc', 'NaN'],
  ]);
  expect(['train/loss', 'validation_acc', 'value', 'epoch/val_loss'].map(quantityOf)).toEqual([
    'loss',
    'acc',
    'value',
    'epoch/loss',
  ]);
});

test('ticks are round numbers', () => {
  expect(ticksBetween(0, 1, 4)).toEqual([0, 0.5, 1]);
  expect(ticksBetween(0.31, 0.94, 4)).toEqual([0.4, 0.6, 0.8]);
  expect(ticksBetween(3, 3, 4)).toEqual([3]);
});

test('a line breaks where there is no number, and the cursor finds the last point before it', () => {
  const book = new MetricBook();
  book.add([metric(1, 'a', 0, 1), metric(2, 'a', 1, null), metric(3, 'a', 2, 3)]);
  const [group] = book.groups();
  const path = pathOf(group!.series[0]!.points, scaleOf(group!, false));
  expect(path.match(/M/g)).toHaveLength(2);
  expect(pointAt(group!.series[0]!.points, 1.5)?.text).toBe('NaN');
});
