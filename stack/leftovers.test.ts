import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { endLeftovers } from './leftovers.js';
import { writePidFile } from './pid-file.js';
import { isAlive, readIdentity } from './process-identity.js';

let folder: DataFolder;
let child: ChildProcess;

beforeEach(async () => {
  folder = await openDataFolder(await mkdtemp(join(tmpdir(), 'gjm-leftovers-')));
});

afterEach(async () => {
  child.kill('SIGKILL');
  await rm(folder.path, { recursive: true, force: true });
});

async function startSleeper(script = 'setInterval(() => undefined, 1000)'): Promise<number> {
  child = spawn(process.execPath, ['-e', `${script}; console.log('on')`], { detached: true });
  await new Promise((done) => child.stdout?.once('data', done));
  return child.pid as number;
}

test('a noted process is ended, by force when it ignores SIGTERM', async () => {
  const pid = await startSleeper(
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)",
  );
  const identity = readIdentity(pid);
  writePidFile(folder.run, 'server', pid);
  expect(await endLeftovers(folder)).toEqual(['server']);
  expect(identity && isAlive(identity)).toBe(false);
  expect(await readdir(folder.run)).toEqual([]);
});

test('a foreign process that was given the noted number is left alone', async () => {
  const pid = await startSleeper();
  const identity = readIdentity(pid);
  writePidFile(folder.run, 'server', pid);
  await writeFile(join(folder.run, 'server.start'), `${pid} 1 ${identity?.bootId}\n`);
  expect(await endLeftovers(folder)).toEqual([]);
  expect(identity && isAlive(identity)).toBe(true);
});

test('a note of an earlier boot is forgotten', async () => {
  const pid = await startSleeper();
  const identity = readIdentity(pid);
  await writeFile(join(folder.run, 'redis.start'), `${pid} ${identity?.startTicks} another-boot\n`);
  expect(await endLeftovers(folder)).toEqual([]);
  expect(identity && isAlive(identity)).toBe(true);
  expect(await readdir(folder.run)).toEqual([]);
});
