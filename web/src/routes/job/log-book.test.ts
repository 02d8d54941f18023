import { expect, test } from '@jest/globals';
import type { JobEvent } from '@gjm/client/index.js';
import { LogBook } from './log-book.js';

const chunk = (sequence: number, firstLine: number, text: string): JobEvent =>
  ({
    __typename: 'JobLogEvent',
    sequence,
    attempt: 1,
    at: 't',
    stream: 'STDOUT',
    firstLine,
    text,
  }) as unknown as JobEvent;
const textsOf = (book: LogBook) =>
  Array.from({ length: book.total }, (_, index) => book.lineAt(index)?.text).join('|');

test('live chunks and pages of the past make one log, each line once, with the numbers of the server', () => {
  const book = new LogBook();
  expect(book.add([chunk(7, 4, 'd\ne\n'), chunk(9, 6, 'f')])).toBe(0);
  expect(book.add([chunk(2, 1, 'a\n'), chunk(5, 2, 'b\n\n'), chunk(7, 4, 'd\ne\n')])).toBe(3);
  expect(book.add([chunk(9, 6, 'f')])).toBe(0);
  expect(textsOf(book)).toBe('a|b||d|e|f');
  expect(book.lineAt(3)).toMatchObject({ number: 4, key: '7.0' });
  expect([book.lineAt(-1), book.lineAt(6)]).toEqual([null, null]);
});

test('the oldest chunks make room and are counted', () => {
  const book = new LogBook(10);
  book.add([chunk(1, 1, 'aaaa\n'), chunk(2, 2, 'bbbb\n')]);
  book.add([chunk(3, 3, 'cccc\n')]);
  expect([textsOf(book), book.dropped]).toEqual(['bbbb|cccc', 1]);
});

test('words are found in any case, by line', () => {
  const book = new LogBook();
  book.add([chunk(1, 1, 'one\nTwo\n'), chunk(2, 3, 'three\n'), chunk(3, 4, 'two two\n')]);
  expect([...book.find('tWo')].flat()).toEqual([1, 3]);
});

test('two hundred thousand lines are read at any place at once', () => {
  const book = new LogBook();
  const events = Array.from({ length: 2_000 }, (_, i) =>
    chunk(i + 1, i * 100 + 1, `line ${i}\n`.repeat(100)),
  );
  book.add(events);
  const started = performance.now();
  expect(book.total).toBe(200_000);
  expect([0, 100_000, 199_999].map((index) => book.lineAt(index)?.number)).toEqual([1, 100_001, 200_000]);
  expect(performance.now() - started).toBeLessThan(50);
});
