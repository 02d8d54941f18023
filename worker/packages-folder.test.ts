import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('a folder of packages that is named from where one stands is the same for programs that run elsewhere', () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gjm-packages-')));
  const module = new URL('./dist/packages-folder.js', import.meta.url).href;
  const script = `import { packagesFolder } from '${module}'; console.log(packagesFolder());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    ...{ cwd, encoding: 'utf8' },
    env: { GJM_PACKAGES_DIR: 'packages' },
  });
  rmSync(cwd, { recursive: true });
  expect(stdout.trim()).toBe(join(cwd, 'packages'));
});
