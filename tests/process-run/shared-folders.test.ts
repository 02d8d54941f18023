import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isSuperuser, ProgramWorker, removeUsers, runAs, skipReason } from './program-worker.js';

const user = runAs('shared');
const nobody = 65_534;

(isSuperuser ? describe : describe.skip)(`folders that all programs share${skipReason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gjm-shared-'));
  const made = (name: string, mode: number) => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'set.txt'), 'data\n');
    for (const at of [path, join(path, 'set.txt')]) chmodSync(at, mode);
    return path;
  };
  const [closed, open] = [made('closed', 0o755), made('open', 0o777)];
  const content = () => readFileSync(join(open, 'set.txt'), 'utf8');
  let worker: ProgramWorker;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    worker = await ProgramWorker.open();
  });
  afterAll(async () => {
    await worker.close();
    rmSync(folder, { recursive: true });
    removeUsers(user);
  });

  test.each([
    ['namespace', [closed, open], /Read-only file system/],
    ['user', [closed], /Permission denied/],
    ['mark', [closed], /Permission denied/],
  ])('can be read and not written by a program kept by %s', async (keeping, shared, why) => {
    const own = await worker.start({
      ...{ GJM_RUN_AS: user, GJM_PROGRAM_KEEPING: keeping, GJM_SHARED_FOLDERS: shared.join(',') },
    });
    const script = `
      IFS=,; for path in $GJM_SHARED_FOLDERS; do
        cat "$path/set.txt"
        for file in set.txt new; do (echo x > "$path/$file") && echo WROTE; done
        rm -f "$path/set.txt" && echo REMOVED; mv "$path/set.txt" "$path/b" && echo MOVED
        chmod 777 "$path" && echo CHANGED; umount "$path" && echo UNMOUNTED
        mount -o remount,bind,rw "$path" && echo REMOUNTED
      done; echo kept > "$GJM_OUTPUT_DIR/a"`;
    const { finish, stdout } = await worker.run(['sh', '-c', `exec 2>&1; ${script}`]);
    expect(finish).toMatchObject({ outcome: 'SUCCEEDED', deviceClean: true, artifacts: [{}] });
    expect(stdout).toMatch(why);
    expect(stdout.match(/^data$/gm)).toHaveLength(shared.length);
    expect(stdout).not.toMatch(/WROTE|REMOVED|MOVED|CHANGED|UNMOUNTED|REMOUNTED/);
    expect(content()).toBe('data\n');
    own.child.kill('SIGTERM');
    await own.exit;
  });

  test.each(['user', 'mark'])(
    'that programs could write keep a worker from starting that can not mount them, by %s',
    async (keeping) => {
      const env = { GJM_RUN_AS: user, GJM_PROGRAM_KEEPING: keeping };
      const refused = worker.spawn({ ...env, GJM_SHARED_FOLDERS: `${closed},${open}` });
      expect(await refused.exit).not.toBe(0);
      expect(refused.output()).toContain(`Programs, which run as ${user}, may write ${open}, and`);
    },
  );

  test('that the user of a worker without rights may write keep it from starting', async () => {
    const data = join(folder, 'of-nobody');
    mkdirSync(data);
    chownSync(data, nobody, nobody);
    const env = { GJM_DATA_DIR: data, GJM_ALLOW_SAME_USER: '1' };
    const refused = worker.spawn({ ...env, GJM_SHARED_FOLDERS: open }, nobody);
    expect(await refused.exit).not.toBe(0);
    expect(refused.output()).toContain(`Programs, which run as the worker's own user, may write ${open}`);
  });

  test('that do not exist, or hold what the worker writes, keep it from starting', async () => {
    for (const [shared, why] of [
      [join(folder, 'absent'), 'There is no folder'],
      [tmpdir(), 'which can not be read-only: the worker writes'],
    ]) {
      const refused = worker.spawn({ GJM_RUN_AS: user, GJM_SHARED_FOLDERS: shared ?? '' });
      expect(await refused.exit).not.toBe(0);
      expect(refused.output()).toContain(why);
    }
  });
});
