import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findShared, mountReadOnly, refuseUnfitShared } from './shared-folders.js';
import { findTool, findTools } from './tools.js';

const tools = findTools();
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gjm-shared-'));
afterAll(() => rmSync(folder, { recursive: true }));

const made = (name: string, mode: number): string => {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
};
chmodSync(folder, 0o755);

test('are looked for where they really lie, and do not hold what the worker writes', () => {
  const data = made('data', 0o755);
  symlinkSync(data, join(folder, 'link'));
  expect(findShared([join(folder, 'link'), `${data}/`], ['/var'])).toEqual([data, data]);
  expect(() => findShared([join(folder, 'absent')], [])).toThrow(`There is no folder ${folder}/absent`);
  const own = join(data, 'not-made-yet');
  for (const shared of ['/', folder, data, own])
    expect(() => findShared([shared], [own])).toThrow(
      shared === own ? 'There is no folder' : `the worker writes ${own}`,
    );
  expect(findShared([data], [`${data}-of-another`])).toEqual([data]);
});

const isSuperuser = process.getuid?.() === 0;
const asRoot = isSuperuser ? describe : describe.skip;

asRoot(`as another user sees them${isSuperuser ? '' : ' (skipped: must run as root)'}`, () => {
  const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };
  const refuse =
    (path: string, isReadOnly = false) =>
    () =>
      refuseUnfitShared([path], nobody, tools, isReadOnly);

  test('are refused where one can write them or what is in them, and where one can not read them', () => {
    const open = made('open', 0o1777);
    expect(refuse(open)).toThrow(`Programs, which run as nobody, may write ${open}, and`);
    expect(refuse(open, true)).not.toThrow();
    const inner = made('inner', 0o755);
    writeFileSync(join(inner, '.hidden'), '');
    symlinkSync(open, join(inner, 'link to elsewhere'));
    expect(refuse(inner)).not.toThrow();
    chownSync(join(inner, '.hidden'), nobody.uid, nobody.gid);
    expect(refuse(inner)).toThrow(`may write ${inner}/.hidden, and`);
    expect(refuse(made('closed', 0o700), true)).toThrow(`can not read ${folder}/closed`);
    expect(() => refuseUnfitShared([inner], null, tools, false)).toThrow("worker's own user");
  });
});

const unshare = findTool('unshare');
const canMount = isSuperuser && unshare !== null && spawnSync(unshare, ['--mount', 'true']).status === 0;

(canMount ? describe : describe.skip)(
  `mounted${canMount ? '' : ' (skipped: nothing can be mounted here)'}`,
  () => {
    /** Runs a script where a folder was made read-only, after another script that may mount something in it. */
    const inside = (shared: string[], before: string, script: string): string => {
      const mounts = mountReadOnly(shared, tools) ?? [];
      const args = [
        '--mount',
        tools.sh,
        '-c',
        `${before}; exec "$@"`,
        'sh',
        ...mounts,
        tools.sh,
        '-c',
        `(${script}) 2>&1`,
      ];
      const { stdout, stderr } = spawnSync(unshare ?? '', args, { encoding: 'utf8' });
      return stdout + stderr;
    };

    test('can be read and not written, with what is mounted below them, by root as well', () => {
      const shared = made('two words $x', 0o1777);
      mkdirSync(join(shared, 'sub mount'));
      mkdirSync(`${shared} and more`);
      writeFileSync(join(shared, 'set.txt'), 'data\n');
      const said = inside(
        [shared],
        `mount -t tmpfs none '${shared}/sub mount'`,
        `cd '${shared}'; cat set.txt; echo x > set.txt; touch 'sub mount/a'; touch '../two words $x and more/b' && echo beside`,
      );
      expect(said).toContain('data\n');
      expect(said.match(/Read-only file system/g)).toHaveLength(2);
      expect(said).toMatch(/beside\n$/);
    });

    test('are no matter once they are gone, and nothing runs where they can not be mounted', () => {
      expect(inside([join(folder, 'gone'), made('there', 0o755)], ':', 'echo ran')).toBe('ran\n');
      const [sh = '', dash = '', script = ''] = mountReadOnly([folder], tools) ?? [];
      const { stdout, stderr, status } = spawnSync(sh, [dash, script, folder, '/bin/false', 'echo', 'ran'], {
        encoding: 'utf8',
      });
      expect({ stdout, stderr, status }).toEqual({
        ...{ stdout: '', status: 1 },
        stderr: `The shared folder ${folder} can not be made read-only.\n`,
      });
    });
  },
);
