import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryGroups } from '@gjm/worker/containment/memory-group.js';
import { until } from '../support/until.js';
import { isSuperuser, ProgramWorker, removeUsers, runAs } from './program-worker.js';

const user = runAs('memory');
const nobody = 65_534;
const groups = isSuperuser ? MemoryGroups.find(`test-${process.pid}`) : null;
const skipReason = groups ? '' : ' (skipped: no control group for memory can be made here)';

(groups ? describe : describe.skip)(`the memory of a program${skipReason}`, () => {
  let worker: ProgramWorker;
  beforeAll(async () => {
    worker = await ProgramWorker.open();
    await worker.start({ GJM_RUN_AS: user, GJM_PROGRAM_MEMORY_MB: '64' });
  }, 40_000);
  afterAll(async () => {
    await worker.close();
    removeUsers(user);
  });

  /** Fills what it gets, below a shell below a shell, which pass on that it was killed. */
  const greedy = 'sh -c "tail /dev/zero; exit \\$?"; code=$?; echo "child $code"';

  test('has an end, which is told as that wherever below a shell the kernel struck', async () => {
    const { finish, stdout } = await worker.run(['sh', '-c', `${greedy}; echo sorry >&2; exit $code`]);
    expect(stdout).toBe('child 137\n');
    expect(finish).toMatchObject({ outcome: 'FAILED', deviceClean: true });
    expect(finish.failure).toEqual({
      code: 'OUT_OF_MEMORY',
      message:
        'The system killed a process of the program for lack of memory, of which it may have 64 MiB here. Its last line of errors was: sorry',
    });
    expect(finish.containment).toMatch(/; a control group of its own held its memory to 64 MiB\.$/);
  });

  test('does not matter to a program that goes on without the child, nor to the next one', async () => {
    expect((await worker.run(['sh', '-c', `${greedy}; exit 0`])).finish.outcome).toBe('SUCCEEDED');
    const { finish } = await worker.run(['sh', '-c', 'exit 137']);
    expect(finish.failure?.code).toBe('WORKLOAD_ERROR');
  });

  test('is counted in a group that goes with the program', async () => {
    const probe = groups?.make('probe', null);
    if (!probe) throw new Error('It could not be made.');
    const parent = dirname(probe.folder);
    groups?.removeLeftovers();
    const id = readFileSync(join(worker.folder, 'instance-id'), 'utf8').trim();
    expect(id).not.toBe('');
    // Its end is told a moment before.
    await until('its group to go', () => readdirSync(parent).every((name) => !name.includes(id)));
  });
});

(isSuperuser ? describe : describe.skip)('a limit of memory that can not be kept', () => {
  const other = runAs('memory-less');
  let worker: ProgramWorker;
  beforeEach(async () => {
    worker = await ProgramWorker.open();
  });
  afterEach(() => worker.close());
  afterAll(() => removeUsers(other));

  test('keeps a worker from starting that can make no control group', async () => {
    const data = mkdtempSync(join(tmpdir(), 'gjm-programs-nobody-'));
    chownSync(data, nobody, nobody);
    const env = { GJM_DATA_DIR: data, GJM_ALLOW_SAME_USER: '1', GJM_PROGRAM_MEMORY_MB: '64' };
    const refused = worker.spawn(env, nobody);
    expect(await refused.exit).not.toBe(0);
    expect(refused.output()).toContain(
      'No control group can be made here that limits memory, as GJM_PROGRAM_MEMORY_MB asks.',
    );
    rmSync(data, { recursive: true });
  });

  (groups ? test : test.skip)(
    `fails a program whose worker can make none any more, before it begins${skipReason}`,
    async () => {
      const parent = groups?.make('parent', null);
      if (!parent) throw new Error('It could not be made.');
      const move = (pid: number | string, folder: string) =>
        writeFileSync(join(folder, 'cgroup.procs'), String(pid));
      const { child } = worker.spawn({ GJM_RUN_AS: other, GJM_PROGRAM_MEMORY_MB: '64' });
      move(child.pid ?? 0, parent.folder);
      await until('the first beat', () => worker.server.beats.length > 0, 15_000);
      expect((await worker.run(['true'])).finish).toMatchObject({
        outcome: 'SUCCEEDED',
        containment: expect.stringContaining('held its memory to 64 MiB'),
      });
      // Each process that it starts anew is where the worker is, so the worker first.
      move(child.pid ?? 0, dirname(parent.folder));
      await until('the group to be empty', () => {
        const pids = readFileSync(join(parent.folder, 'cgroup.procs'), 'utf8').split('\n');
        const left = pids.filter((pid) => pid !== '');
        for (const pid of left) move(pid, dirname(parent.folder));
        return left.length === 0;
      });
      await groups?.remove(parent);
      const { finish, stdout } = await worker.run(['sh', '-c', 'echo ran']);
      expect({ outcome: finish.outcome, failure: finish.failure, stdout }).toEqual({
        outcome: 'FAILED',
        failure: {
          code: 'RUNNER_CRASHED',
          message: 'This worker could not make the place that the program was to run in.',
        },
        stdout: '',
      });
      expect(finish.deviceClean).toBe(true);
    },
  );
});
