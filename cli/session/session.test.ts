import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkParts } from '../commands/login.js';
import { readEnvironment } from '../environment.js';
import { findServer } from './address.js';
import { CredentialsFile } from './credentials.js';
import { withFileLock } from './file-lock.js';
import { takeKeys } from './prompt.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const login = { email: 'a@b', accessToken: 'a', refreshToken: 'r', expiresAt: '2026-01-01T00:00:00.000Z' };

test('sign-ins are kept by server, privately, and nothing else is left behind', async () => {
  const file = new CredentialsFile(join(folder, 'gjm'));
  expect(file.current).toBeNull();
  file.save('http://one', login);
  file.save('http://two', { ...login, accessToken: 'b' });
  file.renew('http://one', { ...login, accessToken: 'c' });
  expect(file.current).toBe('http://two');
  expect(file.loginOf('http://one')).toEqual({ ...login, accessToken: 'c' });
  file.forget('http://two');
  expect([file.current, file.loginOf('http://two')]).toEqual([null, null]);
  file.renew('http://two', login);
  expect(file.loginOf('http://two')).toBeNull();
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'gjm'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, 'gjm'))).toEqual(['credentials.json']);
});

test('a file that is not ours is named, not overwritten', async () => {
  const file = new CredentialsFile(folder);
  await writeFile(file.path, '{"half');
  expect(() => file.save('http://one', login)).toThrow(file.path);
});

test('the server is GJM_URL, the saved one, the living stack of this machine, or port 4000', async () => {
  const file = new CredentialsFile(folder);
  const find = (variables: Record<string, string> = {}) =>
    findServer(readEnvironment({ GJM_DATA_DIR: folder, ...variables }), file);
  expect(await find()).toEqual({ url: 'http://127.0.0.1:4000', from: 'the default' });
  const note = (pid: number) =>
    writeFile(join(folder, 'stack.json'), JSON.stringify({ url: 'http://127.0.0.1:5000', owner: { pid } }));
  await note(2 ** 30);
  expect(await find()).toMatchObject({ from: 'the default' });
  await note(process.pid);
  expect(await find()).toEqual({ url: 'http://127.0.0.1:5000', from: 'the stack of this machine' });
  file.save('https://saved', login);
  expect(await find()).toEqual({ url: 'https://saved', from: 'the saved sign-in' });
  expect(await find({ GJM_URL: 'http://h:1/path' })).toEqual({ url: 'http://h:1', from: 'GJM_URL' });
  await expect(find({ GJM_URL: 'h:1' })).rejects.toThrow('GJM_URL');
});

test('only one holds the lock at a time; one that died is taken over', async () => {
  const path = join(folder, 'lock');
  const dead = { pid: 2 ** 30, host: (await import('node:os')).hostname(), since: Date.now(), nonce: 'x' };
  await writeFile(path, JSON.stringify(dead));
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withFileLock(path, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('a lock is given back also after a failure', async () => {
  const path = join(folder, 'lock');
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});

test('a secret is typed, pasted, corrected, ended and given up', () => {
  expect(takeKeys('', 'pässwört\r')).toEqual({ typed: 'pässwört', done: true, stopped: false });
  expect(takeKeys('ab', '\u007f\u007fc')).toEqual({ typed: 'c', done: false, stopped: false });
  expect(takeKeys('ab', '\u0015c\n')).toEqual({ typed: 'c', done: true, stopped: false });
  expect(takeKeys('ab', '\u0003')).toMatchObject({ stopped: true });
});

test('a sign-in link gives its server and token', () => {
  expect(linkParts('http://h:1/#sign-in=gjms_x')).toEqual({ token: 'gjms_x', url: 'http://h:1' });
  expect(linkParts('gjms_x')).toEqual({ token: 'gjms_x', url: null });
  expect(() => linkParts('http://h:1/')).toThrow('--link');
});
