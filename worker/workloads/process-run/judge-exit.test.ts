import { describe, expect, test } from '@jest/globals';
import { WorkloadFailure } from '../define.js';
import { judgeExit, type MemoryKills, type ProgramExit } from './judge-exit.js';

const killed: ProgramExit = { code: null, signal: 'SIGKILL' };
const exited = (code: number): ProgramExit => ({ code, signal: null });
const none: MemoryKills = { own: 0, anywhere: 0 };

function codeOf(exit: ProgramExit, kills: MemoryKills): string {
  try {
    judgeExit(exit, kills, null);
    return 'fine';
  } catch (error) {
    if (!(error instanceof WorkloadFailure)) throw error;
    return error.code;
  }
}

describe('how a program ended', () => {
  test.each<[string, ProgramExit, MemoryKills, string]>([
    ['killed itself, in its group', killed, { own: 1, anywhere: 1 }, 'OUT_OF_MEMORY'],
    ['a child of its shell killed, in its group', exited(137), { own: 1, anywhere: 1 }, 'OUT_OF_MEMORY'],
    ['a child killed, told by another code', exited(1), { own: 2, anywhere: 2 }, 'OUT_OF_MEMORY'],
    ['a child killed, and done all the same', exited(0), { own: 1, anywhere: 1 }, 'fine'],
    ['killed by somebody while others ran out', killed, { own: 0, anywhere: 3 }, 'WORKLOAD_ERROR'],
    ['killed without a group while memory ran out', killed, { own: null, anywhere: 1 }, 'OUT_OF_MEMORY'],
    [
      'failed without a group while memory ran out',
      exited(137),
      { own: null, anywhere: 1 },
      'WORKLOAD_ERROR',
    ],
    ['killed with nothing short', killed, none, 'WORKLOAD_ERROR'],
    ['a file too large', { code: null, signal: 'SIGXFSZ' }, none, 'OUTPUT_INVALID'],
    ['aborted', { code: null, signal: 'SIGABRT' }, none, 'WORKLOAD_ERROR'],
  ])('is told apart: %s', (_, exit, kills, expected) => {
    expect(codeOf(exit, kills)).toBe(expected);
  });

  test('names the limit and the last line', () => {
    expect(() => judgeExit(exited(137), { own: 1, anywhere: 1 }, 'loading', 64 * 1024 ** 2)).toThrow(
      'The system killed a process of the program for lack of memory, of which it may have 64 MiB here. Its last line of errors was: loading',
    );
  });
});
