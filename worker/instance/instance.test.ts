import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isGroupAlive } from '../child/process-group.js';
import { until } from '../testing/until.js';
import { openFolders, openInstanceId, type WorkerFolders } from './identity.js';
import { endLeftovers, noteGroup, ownerVariable } from './leftovers.js';
import { takeFolderLock } from './lock.js';
import { readIdentity } from './process-identity.js';

let root: string;
let folders: WorkerFolders;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gjm-instance-'));
  folders = openFolders(root);
});

afterEach(() => {
  for (const child of children.splice(0))
    if (child.pid && isGroupAlive(child.pid)) process.kill(-child.pid, 'SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function startGroup(script: string, env: Record<string, string> = {}): number {
  const child = spawn('sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', ...env },
  });
  children.push(child);
  return child.pid ?? 0;
}

describe('folder lock', () => {
  test('is refused while its holder lives, and free again after', () => {
    const first = takeFolderLock(root);
    expect(first).not.toBeNull();
    expect(takeFolderLock(root)).toBeNull();
    first?.release();
    first?.release();
    takeFolderLock(root)?.release();
    expect(readdirSync(root)).not.toContain('worker.lock');
  });

  test.each([
    ['a process that is gone', { pid: 999_999_999, startTicks: '1', machineBootId: 'x' }],
    ['another process that got the same pid', { pid: process.pid, startTicks: '1', machineBootId: 'x' }],
  ])('a lock of %s is taken over', (_, holder) => {
    writeFileSync(join(root, 'worker.lock'), JSON.stringify(holder));
    expect(takeFolderLock(root)).not.toBeNull();
  });

  test('a lock file cut short is taken over', () => {
    writeFileSync(join(root, 'worker.lock'), '{"pid":');
    expect(takeFolderLock(root)).not.toBeNull();
  });
});

test('the instance id stays, also when its file was damaged before', () => {
  writeFileSync(join(root, 'instance-id'), 'nonsense');
  const id = openInstanceId(root);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(openInstanceId(root)).toBe(id);
});

describe('leftovers', () => {
  test('a noted group is ended with all its members', async () => {
    const group = startGroup('sleep 300 & sleep 300');
    noteGroup(folders.run, group);
    expect(await endLeftovers(folders, 'me')).toEqual({ ended: 1, alive: [] });
    expect(isGroupAlive(group)).toBe(false);
    expect(readdirSync(folders.run)).toEqual([]);
  });

  test('a group whose leader is dead is ended when its members carry our mark', async () => {
    // The leader ends last of all to start: a process in the midst of its exec shows no environment for a moment.
    const group = startGroup('sleep 300 & sleep 300 & sleep 1', { [ownerVariable]: 'me' });
    const identity = readIdentity(group);
    await until(() => readIdentity(group) === null && isGroupAlive(group), 'the leader to end');
    writeFileSync(join(folders.run, `runner-${group}.pid`), JSON.stringify(identity));
    expect((await endLeftovers(folders, 'me')).ended).toBe(1);
    expect(isGroupAlive(group)).toBe(false);
  });

  test('a foreign process that got an old number is never touched', async () => {
    const group = startGroup('sleep 300 & sleep 300', { [ownerVariable]: 'somebody else' });
    const identity = readIdentity(group);
    writeFileSync(join(folders.run, `runner-${group}.pid`), JSON.stringify({ ...identity, startTicks: '1' }));
    expect(await endLeftovers(folders, 'me')).toEqual({ ended: 0, alive: [] });
    expect(isGroupAlive(group)).toBe(true);
  });

  test('scratch of an earlier life is removed', async () => {
    writeFileSync(join(folders.scratch, 'old'), 'x');
    await endLeftovers(folders, 'me');
    expect(readdirSync(folders.scratch)).toEqual([]);
  });
});
