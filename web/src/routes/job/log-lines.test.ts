import { expect, test } from '@jest/globals';
import type { JobEvent } from '@gjm/client/index.js';
import { appendLog, emptyTail } from './log-lines.js';

const log = (sequence: number, text: string, firstLine: number): JobEvent =>
  ({
    __typename: 'JobLogEvent',
    sequence,
    at: 't',
    stream: 'STDOUT',
    text,
    firstLine,
  }) as unknown as JobEvent;

test('chunks become numbered lines, blank ones too', () => {
  const tail = appendLog(emptyTail, [log(1, 'a\n\nb\n', 1), log(2, 'c', 4)]);
  expect(tail.lines.map(({ number, text }) => [number, text])).toEqual([
    [1, 'a'],
    [2, ''],
    [3, 'b'],
    [4, 'c'],
  ]);
});

test('the oldest lines make room and are counted', () => {
  const tail = appendLog(appendLog(emptyTail, [log(1, 'a\nb\nc\n', 1)], 4), [log(2, 'd\ne\n', 4)], 4);
  expect([tail.lines.map(({ text }) => text).join(''), tail.dropped]).toEqual(['bcde', 1]);
});

test('other events leave the tail as it is', () => {
  expect(appendLog(emptyTail, [{ __typename: 'JobProgressEvent' } as unknown as JobEvent])).toBe(emptyTail);
});
