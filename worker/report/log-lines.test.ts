import { describe, expect, test } from '@jest/globals';
import { LogChunks } from './log-chunks.js';
import { LogLines, longestPieceBytes } from './log-lines.js';

function collect() {
  const lines: string[] = [];
  const rewrites: string[] = [];
  const counted: number[] = [];
  const log = new LogLines({
    line: (text, bytes) => {
      lines.push(text);
      counted.push(bytes);
    },
    rewrite: (state) => rewrites.push(state),
  });
  return { log, lines, rewrites, counted };
}

describe('log lines', () => {
  test('code points cut across reads come out whole', () => {
    const { log, lines } = collect();
    for (const byte of Buffer.from('€ 世界 😀\n')) log.push(Buffer.from([byte]));
    log.end();
    expect(lines).toEqual(['€ 世界 😀\n']);
    expect(log.isLossy).toBe(false);
  });

  test('bad bytes and NUL are shown as replacement characters, and the lines know that they lost something', () => {
    const { log, lines } = collect();
    log.push(Buffer.from('a\0b\xffc\n', 'latin1'));
    log.end();
    expect(lines).toEqual(['a\uFFFDb\uFFFDc\n']);
    expect(log.isLossy).toBe(true);
  });

  test('a code point cut off by the end of the stream is one replacement character', () => {
    const { log, lines } = collect();
    log.push(Buffer.from('€').subarray(0, 2));
    log.end();
    expect(lines).toEqual(['\uFFFD']);
  });

  test('ten thousand rewrites of one line are stored as their last state', () => {
    const { log, lines, rewrites } = collect();
    for (let i = 1; i <= 10_000; i += 1) log.push(Buffer.from(`\rstep ${i}/10000`));
    log.push(Buffer.from('\nnext\n'));
    expect(lines).toEqual(['step 10000/10000\n', 'next\n']);
    expect(rewrites).toHaveLength(10_000);
    expect(rewrites.at(-1)).toBe('step 10000/10000');
  });

  test('a carriage return before a newline is a plain line end, also across reads', () => {
    const { log, lines, rewrites } = collect();
    log.push(Buffer.from('one\r'));
    log.push(Buffer.from('\ntwo\r\n\r\nthree\r\r\n'));
    log.end();
    expect(lines).toEqual(['one\n', 'two\n', '\n', 'three\n']);
    expect(rewrites).toEqual([]);
  });

  test('the last state of a line is kept when the stream ends after a carriage return', () => {
    const { log, lines } = collect();
    log.push(Buffer.from('50 %\r100 %\r'));
    log.end();
    expect(lines).toEqual(['100 %']);
  });

  test('only the last line of a stream may lack its newline', () => {
    const { log, lines } = collect();
    log.push(Buffer.from('END'));
    expect(lines).toEqual([]);
    log.end();
    expect(lines).toEqual(['END']);
  });

  test('a line of 20 MB comes in bounded pieces, each with a newline, with no byte lost', () => {
    const { log, lines, counted } = collect();
    const line = Buffer.from('世'.repeat(7_000_000));
    for (let from = 0; from < line.length; from += 65_536) log.push(line.subarray(from, from + 65_536));
    log.push(Buffer.from('\n'));
    log.end();
    expect(lines.every((piece) => piece.endsWith('\n'))).toBe(true);
    expect(lines.every((piece, i) => Buffer.byteLength(piece) === counted[i])).toBe(true);
    expect(Math.max(...counted)).toBeLessThanOrEqual(longestPieceBytes);
    expect(lines.map((piece) => piece.slice(0, -1)).join('')).toBe(line.toString());
  });
});

describe('log chunks', () => {
  test('lines are counted over the whole attempt, and chunks stay within 64 KiB', () => {
    const chunks = new LogChunks('STDOUT');
    const line = `${'x'.repeat(999)}\n`;
    for (let i = 0; i < 100; i += 1) chunks.add(line, line.length);
    const [first, second] = chunks.take();
    chunks.add('last\n', 5);
    expect(first?.firstLine).toBe(1);
    expect(first?.text.length).toBe(65_000);
    expect(second?.firstLine).toBe(66);
    expect(chunks.take()).toEqual([{ type: 'log', stream: 'STDOUT', text: 'last\n', firstLine: 101 }]);
    expect(chunks.take()).toEqual([]);
  });

  test('pieces of one long line are lines of their own in the count', () => {
    const chunks = new LogChunks('STDERR');
    const log = new LogLines({ line: (text, bytes) => chunks.add(text, bytes), rewrite: () => undefined });
    log.push(Buffer.from(`${'x'.repeat(2 * longestPieceBytes)}\nafter\n`));
    expect(chunks.take().map((chunk) => chunk.firstLine)).toEqual([1, 2, 3]);
  });
});
