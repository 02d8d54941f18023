import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkPlatform } from './machine.js';
import { findLibrary, libraryFiles } from './tensorflow-library.js';
import { SetupProblem } from './problem.js';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'gjm-setup-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function touch(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
}

describe('the folder of the library', () => {
  const headers = ['c/c_api.h', 'c/eager/c_api.h', 'core/platform/ctstring_internal.h'];
  const whole = [...libraryFiles, ...headers.map((header) => `include/tensorflow/${header}`)];

  test('may be named itself, or as the site-packages that it lies in', () => {
    touch(...whole.map((file) => `tensorflow/${file}`));
    expect(findLibrary(root)).toBe(join(root, 'tensorflow'));
    expect(findLibrary(join(root, 'tensorflow'))).toBe(join(root, 'tensorflow'));
  });

  test('is refused with the name of what it lacks', () => {
    expect(() => findLibrary(root)).toThrow(/has no libtensorflow_cc\.so\.2: name the folder/);
    touch(libraryFiles[0]);
    expect(() => findLibrary(root)).toThrow(/has no libtensorflow_framework\.so\.2/);
    touch(...whole.slice(0, -1));
    expect(() => findLibrary(root)).toThrow(
      /has no include\/tensorflow\/core\/platform\/ctstring_internal\.h/,
    );
  });
});

test('only Linux on x64 and arm64 is a machine for it', () => {
  checkPlatform('linux', 'x64');
  checkPlatform('linux', 'arm64');
  expect(() => checkPlatform('darwin', 'arm64')).toThrow(SetupProblem);
  expect(() => checkPlatform('linux', 's390x')).toThrow(SetupProblem);
});

describe('the command', () => {
  const main = fileURLToPath(new URL('../dist/setup/tensorflow.js', import.meta.url));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...args], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', GJM_PACKAGES_DIR: join(root, 'packages') },
      encoding: 'utf8',
    });

  test('says in one sentence what is wrong with a folder, and makes nothing', () => {
    const { status, stderr } = run('--from', join(root, 'nowhere'));
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('has no libtensorflow_cc.so.2')]);
    expect(readdirSync(root)).toEqual([]);
  });

  test('tells how it is called when it is called wrongly', () => {
    const { status, stderr } = run('--form', root);
    expect(status).toBe(2);
    expect(stderr).toContain('Usage: npm run setup:tensorflow');
  });
});
