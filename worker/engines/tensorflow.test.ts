import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { engineAuditSchema } from '@gjm/core/wire/ipc.js';
import { bindingPath } from './tensorflow-package.js';

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'gjm-tensorflow-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A packages folder in which the package lies, with or without a binding. */
function packagesWith(name: string, binding: string | null): string {
  const folder = join(root, name, 'tensorflow/node_modules/@tensorflow/tfjs-node');
  mkdirSync(dirname(join(folder, bindingPath)), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "@tensorflow/tfjs-node", "version": "4.22.0" }');
  if (binding !== null) writeFileSync(join(folder, bindingPath), binding);
  return join(root, name);
}

/** The audit row of an engine in a process of its own, since a library is loaded for life. */
function auditOf(engine: string, env: Record<string, string>) {
  const main = fileURLToPath(new URL('../dist/setup/try-engine.js', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [main, engine], { env, encoding: 'utf8' });
  return engineAuditSchema.parse(JSON.parse(stdout));
}

const pinned = { CUDA_VISIBLE_DEVICES: 'GPU-1' };

test.each(['native', 'cuda'])('what %s lacks is a coded reason with what to do', (engine) => {
  const prefix = engine.toUpperCase();
  const places = {
    PKG_ABSENT: join(root, 'empty'),
    ADDON_MISSING: packagesWith('without', null),
    ADDON_BROKEN: packagesWith('broken', 'no library'),
  };
  for (const [code, packages] of Object.entries(places)) {
    const row = auditOf(engine, { ...pinned, GJM_PACKAGES_DIR: packages });
    expect(row).toMatchObject({ engine, offered: false, code: `${prefix}_${code}` });
    expect(row.message).toContain('npm run setup:tensorflow');
  }
});

test.each(['', '-1', 'GPU-1,GPU-2'])('cuda does not begin where CUDA_VISIBLE_DEVICES is "%s"', (devices) => {
  const row = auditOf('cuda', { CUDA_VISIBLE_DEVICES: devices, GJM_PACKAGES_DIR: join(root, 'empty') });
  expect(row).toMatchObject({ offered: false, code: 'CUDA_NOT_PINNED' });
});
