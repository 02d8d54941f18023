import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MemoryGroups } from '@gjm/worker/containment/memory-group.js';
import { isSuperuser, ProgramWorker, removeUsers, runAs } from './program-worker.js';

const user = runAs('memory');
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

  test('is counted in a group that goes with the program', () => {
    const probe = groups?.make('probe', null);
    if (!probe) throw new Error('It could not be made.');
    const id = readFileSync(join(worker.folder, 'instance-id'), 'utf8').trim();
    const names = readdirSync(dirname(probe.folder));
    groups?.removeLeftovers();
    expect(id).not.toBe('');
    expect(names.filter((name) => name.includes(id))).toEqual([]);
  });
});
