import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import { until } from '../testing/until.js';
import { pause } from '../wait.js';
import type { ChildExit } from './classify-exit.js';
import { FixtureRunners, startMessage } from '../testing/fixture-runners.js';
import { groupMembers, isGroupAlive } from './process-group.js';
import type { RunnerChild } from './spawn.js';

let runners: FixtureRunners;
beforeEach(() => {
  runners = new FixtureRunners();
});
afterEach(() => runners.close());

function listen(child: RunnerChild) {
  const heard = { messages: [] as FromRunner[], output: '', exits: [] as ChildExit[] };
  child.attach({
    message: (message) => heard.messages.push(message),
    output: (_, bytes) => (heard.output += bytes.toString()),
    exit: (exit) => heard.exits.push(exit),
  });
  return heard;
}

async function startAndWork(fixture: string, params = {}) {
  const child = runners.start(fixture);
  expect(await child.started).toMatchObject({ type: 'ready', engine: 'wasm' });
  const heard = listen(child);
  child.send(startMessage(params));
  return { child, heard };
}

describe('runner child', () => {
  test('is told its device and nothing else', async () => {
    const { child, heard } = await startAndWork('polite');
    await until(() => heard.messages.length > 0, 'done');
    const [done] = heard.messages;
    if (done?.type !== 'done') throw new Error('not done');
    expect(await child.hasDelivered(done.written, 2_000)).toBe(true);
    expect(heard.output.trim().split(' ')).toEqual([
      'GJM_RUNNER_DEVICE_KIND',
      'GJM_RUNNER_DEVICE_UID',
      'GJM_RUNNER_ENGINES',
      'GJM_RUNNER_OWNER',
      'PATH',
    ]);
  });

  test('that dies at once has its output read to the end', async () => {
    const { child, heard } = await startAndWork('crash');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await child.end(0)).toBe(true);
    expect(await child.pipesEnded(2_000)).toBe(true);
    expect(heard.output).toMatch(/^line 1\n/);
    expect(heard.output).toMatch(/\nline 20000\nEND$/);
    expect(heard.exits).toHaveLength(1);
  });

  test('in a busy loop is ended', async () => {
    const { child } = await startAndWork('hang');
    expect(await child.end(2_000)).toBe(true);
    expect(child.isOver).toBe(true);
    expect(readdirSync(runners.folder)).toEqual([]);
  });

  test('that ignores SIGTERM, with a grandchild that does too, is gone with its whole group', async () => {
    const { child, heard } = await startAndWork('stubborn');
    await until(() => heard.output.includes('grandchild'), 'the grandchild');
    expect(groupMembers(child.pid)).toHaveLength(2);
    const began = performance.now();
    expect(await child.end(300)).toBe(true);
    expect(performance.now() - began).toBeGreaterThanOrEqual(300);
    expect(isGroupAlive(child.pid)).toBe(false);
    expect(await child.pipesEnded(2_000)).toBe(true);
  });

  test('waits when its pipes are not read, and goes on when they are', async () => {
    const { child } = await startAndWork('flood');
    await until(() => child.received.stdout > 1_000_000, 'the flood');
    child.setPaused(true);
    await pause(200); // what was under way comes to rest
    const held = child.received.stdout;
    await pause(300);
    expect(child.received.stdout - held).toBeLessThan(200_000);
    child.setPaused(false);
    await until(() => child.received.stdout > held + 1_000_000, 'the flood to go on');
  });

  test.each(['garbage-bytes', 'garbage-message'])(
    'that sends %s is ended, and nobody else is harmed',
    async (fixture) => {
      const { child, heard } = await startAndWork(fixture);
      expect(await child.exited).toMatchObject({ signal: 'SIGKILL' });
      expect(heard.messages).toEqual([]);
    },
  );

  test('that is never ready counts as failed and is ended', async () => {
    const child = runners.start('silent', { readyLimitMs: 300 });
    expect(await child.started).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('not ready'),
    });
    await child.exited;
  });

  test('on which no engine works says so', async () => {
    const child = runners.start('unusable');
    expect(await child.started).toMatchObject({
      type: 'unusable',
      audit: [{ engine: 'wasm', offered: false }],
    });
    expect(await child.exited).toEqual({ code: 3, signal: null });
  });

  test('that can not be started at all is a failure like any other', async () => {
    const child = runners.start('no-such-file');
    expect(await child.started).toMatchObject({ type: 'failed' });
    expect(await child.end(0)).toBe(true);
  });
});
