import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { programProcesses } from './process-limit.js';

const folder = mkdtempSync(join(tmpdir(), 'gjm-groups-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A machine whose groups have these limits, by folder. */
function machine(name: string, ownGroups: string, limits: Record<string, string>) {
  const system = { groups: join(folder, `${name}.groups`), mounts: join(folder, name) };
  writeFileSync(system.groups, ownGroups);
  for (const [path, limit] of Object.entries(limits)) {
    mkdirSync(join(system.mounts, path), { recursive: true });
    writeFileSync(join(system.mounts, path, 'pids.max'), limit);
  }
  return system;
}

test.each([
  ['version 2, the own group', '0::/a/b\n', { 'a/b': '100\n' }, 50],
  ['version 2, one above it', '0::/a/b\n', { 'a/b': 'max\n', a: '60\n' }, 30],
  ['version 1', '5:cpu:/x\n4:pids:/docker/c\n', { 'pids/docker/c': '40\n' }, 20],
  ['a version 1 group of another controller', '5:cpu:/x\n', { 'pids/x': '40\n' }, 1_000],
  ['no limit', '0::/a\n', { a: 'max\n' }, 1_000],
  ['no groups', '', {}, 1_000],
  ['a limit of nearly nothing', '0::/\n', { '': '1\n' }, 1],
])('leaves the worker half of what its groups allow: %s', (name, groups, limits, expected) => {
  expect(programProcesses(1_000, machine(name, groups, limits as Record<string, string>))).toBe(expected);
});
