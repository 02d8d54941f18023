import { expect, test } from '@jest/globals';
import { EngineOutOfMemory, type Engine } from '../engines/engine.js';
import { WorkloadFailure } from '../workloads/define.js';
import { failureFrom } from './failure.js';

/** A fault of the heap, as wasm throws it. */
const heapFault = Object.assign(new Error('memory access out of bounds'), { name: 'RuntimeError' });

const engine: Engine = {
  name: 'wasm',
  version: '0.0.0',
  inUse: () => 'wasm',
  assertRoom: () => undefined,
  isBroken: (error) => error === heapFault || error instanceof EngineOutOfMemory,
};

test.each([
  [
    'a failure the workload named',
    new WorkloadFailure('INVALID_INPUT', 'No image.'),
    'INVALID_INPUT',
    'No image.',
    false,
  ],
  ['any other error', new TypeError('x is not a function'), 'WORKLOAD_ERROR', 'x is not a function', false],
  ['the cap of the engine', new EngineOutOfMemory('Too much.'), 'OUT_OF_MEMORY', 'Too much.', true],
  [
    'a buffer that JavaScript could not get',
    new RangeError('Array buffer allocation failed'),
    'OUT_OF_MEMORY',
    'Array buffer allocation failed',
    true,
  ],
  ['a broken heap', heapFault, 'RUNNER_CRASHED', 'The engine broke down: memory access out of bounds', true],
  [
    'a full disk, as Node says it',
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    'DISK_FULL',
    'The disk of the worker is full.',
    false,
  ],
  [
    'a full disk, as the image library says it',
    new Error('unix error: No space left on device'),
    'DISK_FULL',
    'The disk of the worker is full.',
    false,
  ],
  [
    'a failed system call, without its path',
    Object.assign(new Error("ENOENT: open '/data/x'"), { code: 'ENOENT', syscall: 'open' }),
    'WORKLOAD_ERROR',
    'The worker could not do "open": ENOENT.',
    false,
  ],
  ['what is no error at all', 'nope', 'WORKLOAD_ERROR', 'nope', false],
  [
    'an error without words',
    new Error(''),
    'WORKLOAD_ERROR',
    'The workload failed without a message.',
    false,
  ],
])('%s gets its code', (_, error, code, message, broken) => {
  expect(failureFrom(error, engine)).toEqual({ code, message, broken });
});

test('a message is bounded and well formed', () => {
  const { message } = failureFrom(new Error(`\0${'x'.repeat(10_000)}`), engine);
  expect(message.length).toBe(4_000);
  expect(message.startsWith('\ufffdx')).toBe(true);
});
