import { expect, test } from '@jest/globals';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import type { Engine } from '../engines/engine.js';
import { buildRegistry } from '../workloads/registry.js';
import { startAttempt } from './attempt.js';

/** Runs an empty attempt on an engine of this name, when `used` is what really computes at its end. */
async function attemptOn(name: Engine['name'], used: string): Promise<FromRunner> {
  const engine: Engine = {
    ...{ name, version: '1', inUse: () => used, assertRoom: () => undefined, isBroken: () => false },
  };
  const meter = {
    print: () => Promise.resolve(),
    drained: () => Promise.resolve(),
    written: () => ({ stdoutBytes: 0, stderrBytes: 0 }),
  };
  const channel = { send: () => undefined };
  const parts = { engine, registry: buildRegistry(), countTensors: () => 0 };
  const attempt = startAttempt(
    {
      ...{ type: 'start', attemptId: 'att', jobId: 'job', kind: 'diagnostic', params: {}, tier: null },
      ...{
        inputs: {},
        outputDir: '/nowhere',
        checkpointDir: '/nowhere',
        resumeFrom: null,
        traceparent: null,
      },
    },
    { ...parts, meter, channel } as unknown as Parameters<typeof startAttempt>[1],
  );
  return (await attempt.ended).message;
}

test('a success says what computed it', async () => {
  expect(await attemptOn('cuda', 'cuda')).toMatchObject({ type: 'done', engine: 'cuda' });
});

test('what a CPU computed in the place of a GPU is a fault of the device, never a success', async () => {
  expect(await attemptOn('cuda', 'native')).toMatchObject({
    ...{ type: 'failed', code: 'DEVICE_LOST', broken: true },
    message: 'It was computed with native instead of cuda.',
  });
});
