import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { countGroupKills, intoGroup, MemoryGroups } from './memory-group.js';

const folder = mkdtempSync(join(tmpdir(), 'gjm-memory-'));
const groups = MemoryGroups.find(`test-${process.pid}`);
const skipReason = groups ? '' : ' (skipped: no control group for memory can be made here)';
afterAll(() => rmSync(folder, { recursive: true }));

(groups ? describe : describe.skip)(`a control group for memory${skipReason}`, () => {
  const made = (name: string, limitBytes: number | null) => {
    const group = groups?.make(name, limitBytes);
    if (!group) throw new Error('It could not be made.');
    return group;
  };
  const run = (group: ReturnType<typeof made>, script: string) =>
    spawnSync('/bin/sh', [...intoGroup(group, '/bin/sh').slice(1), '/bin/sh', '-c', script], {
      encoding: 'utf8',
    });

  test('holds all that is started in it, counts whom the kernel killed, and goes', async () => {
    const group = made('limited', 32 * 1024 ** 2);
    const { stdout } = run(group, 'sh -c "cat /proc/self/cgroup; tail /dev/zero; exit 0"; echo "then $?"');
    expect(stdout).toContain(group.folder.split('/').at(-1));
    expect(stdout).toMatch(/then 0\n$/);
    expect(countGroupKills(group)).toBe(1);
    await groups?.remove(group);
    expect(existsSync(group.folder)).toBe(false);
  });

  test('without a limit of ours lets more through', async () => {
    const group = made('open', null);
    expect(run(group, 'head -c 60000000 /dev/zero | tail -c 50000000 | wc -c').stdout).toBe('50000000\n');
    expect(countGroupKills(group)).toBe(0);
    await groups?.remove(group);
  });

  test('that a killed worker left is removed', () => {
    const group = made('left', null);
    groups?.removeLeftovers();
    expect(existsSync(group.folder)).toBe(false);
  });
});

test('is not looked for where the system has none that can be written', () => {
  const mounts = join(folder, 'mounts');
  const at = (text: string) => {
    writeFileSync(join(folder, 'groups'), text);
    return MemoryGroups.find('x', { groups: join(folder, 'groups'), mounts });
  };
  mkdirSync(join(mounts, 'memory'), { recursive: true });
  expect(at('')).toBeNull();
  expect(at('4:memory:/nowhere\n')).toBeNull();
  expect(at('4:memory:/\n')).toBeNull(); // a folder that is no group
  expect(at('3:pids:/\n')).toBeNull();
  writeFileSync(join(mounts, 'cgroup.subtree_control'), 'cpu pids');
  expect(at('0::/\n')).toBeNull();
  // It was tried, as version 2 wants it.
  expect(readFileSync(join(mounts, 'cgroup.subtree_control'), 'utf8')).toBe('+memory');
});
