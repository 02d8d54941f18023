import { expect, test } from '@jest/globals';
import { classifyExit, describeExit } from './classify-exit.js';

test('a kill names its signal and hints at memory', () => {
  const { code, message } = classifyExit({ code: null, signal: 'SIGKILL' }, null);
  expect(code).toBe('RUNNER_CRASHED');
  expect(message).toMatch(/SIGKILL.*memory/);
});

test.each([
  [{ code: null, signal: 'SIGSEGV' as const }, /SIGSEGV/],
  [{ code: null, signal: 'SIGABRT' as const }, /SIGABRT/],
  [{ code: null, signal: 'SIGHUP' as const }, /SIGHUP/],
  [{ code: 134, signal: null }, /134/],
  [{ code: 3, signal: null }, /code 3/],
  [{ code: 0, signal: null }, /without saying that the work was done/],
])('an end %j without a word says how it came', (exit, words) => {
  expect(describeExit(exit)).toMatch(words);
});

test('the last line of output is part of the message, bounded', () => {
  const { message } = classifyExit({ code: 1, signal: null }, 'x'.repeat(10_000));
  expect(message).toContain('xxx');
  expect(message.length).toBeLessThan(1_200);
});
