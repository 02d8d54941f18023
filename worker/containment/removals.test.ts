import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../testing/until.js';
import { defer, type Deferred } from '../wait.js';
import { removeAll } from './left-files.js';
import { Removals } from './removals.js';

let parent: string;
/** Opens when removing may begin. */
let gate: Deferred<void>;
let [beingRemoved, mostBeingRemoved] = [0, 0];
const made: Removals[] = [];
const waiting = () => readdirSync(join(parent, 'removed'));

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'gjm-removals-'));
  gate = defer();
  [beingRemoved, mostBeingRemoved] = [0, 0];
});
afterEach(() => {
  gate.resolve();
  for (const removals of made.splice(0)) removals.close();
  rmSync(parent, { recursive: true, force: true });
});

function open(): Removals {
  const log = pino({ level: 'silent' });
  const remove = async (paths: readonly string[], signal?: AbortSignal) => {
    beingRemoved += 1;
    mostBeingRemoved = Math.max(mostBeingRemoved, beingRemoved);
    await gate.promise;
    await removeAll(paths, signal);
    beingRemoved -= 1;
  };
  const removals = new Removals({ parent, instanceId: 'me', log, remove });
  made.push(removals);
  return removals;
}

function leave(name: string): string {
  const folder = join(parent, name);
  mkdirSync(join(folder, 'deep'), { recursive: true });
  writeFileSync(join(folder, 'deep', 'file'), '');
  return folder;
}

test('what is taken is out of reach at once, its name is free, and it is gone in the end, one after the other', async () => {
  const removals = open();
  const left = leave('a');
  await removals.take(left);
  expect(existsSync(left)).toBe(false);
  await Promise.all([
    removals.take(leave('a')),
    removals.take(leave('b')),
    removals.take(join(parent, 'never')),
  ]);
  expect(waiting()).toHaveLength(3);
  expect(statSync(join(parent, 'removed')).mode & 0o777).toBe(0o700);
  gate.resolve();
  await until(() => waiting().length === 0, 'all to be removed');
  expect(mostBeingRemoved).toBe(1);
});

test('who brings much more than can be removed waits', async () => {
  const removals = open();
  let taken = 0;
  const all = Array.from({ length: 30 }, (_, n) => removals.take(leave(String(n))).then(() => (taken += 1)));
  await until(() => waiting().length === 30, 'all to be out of reach');
  await until(() => taken >= 10, 'the first to be taken');
  expect(taken).toBeLessThan(20);
  gate.resolve();
  await Promise.all(all);
  expect(waiting()).toEqual([]);
});

test('what one life does not get to is removed by the next', async () => {
  const first = open();
  await Promise.all([first.take(leave('a')), first.take(leave('b'))]);
  first.close();
  gate.resolve();
  await until(() => beingRemoved > 0, 'the first to have begun');
  expect(waiting().length).toBeGreaterThan(0);
  await open().resume();
  await until(() => waiting().length === 0, 'all to be removed');
});

const isSuperuser = process.getuid?.() === 0;
(isSuperuser ? test : test.skip)(
  'what a user left in folders of the system goes as well, whatever its name is',
  async () => {
    const removals = open();
    const user = { name: 'gjm-test-left', uid: 64_123, gid: 64_123 };
    const as = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
    const script = `cd "$0" && mkdir "gjm-left-$1" && touch "gjm-left-$1/x" "$(printf 'gjm-left-\\377')"`;
    const places = ['/tmp', '/dev/shm'];
    for (const place of places)
      expect(spawnSync('setpriv', [...as, 'sh', '-c', script, place, String(process.pid)]).status).toBe(0);
    const leftBy = (...test: string[]) =>
      String(spawnSync('find', [...places, '-mindepth', '1', '-maxdepth', '1', ...test]).stdout).trim();
    expect(leftBy('-user', String(user.uid))).not.toBe('');

    await removals.takeLeftBy(user);
    expect(leftBy('-user', String(user.uid))).toBe('');
    const aside = leftBy('-name', 'gjm-removed-me-*').split('\n');
    expect(aside).toHaveLength(2);
    for (const path of aside) expect(statSync(path).mode & 0o777).toBe(0o700);
    // The worker ends here; its next life finds them.
    removals.close();
    gate.resolve();
    await open().resume();
    await until(() => leftBy('-name', 'gjm-removed-me-*') === '', 'all to be removed');
  },
);
