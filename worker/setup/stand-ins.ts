import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedCore } from '../engines/tensorflow-package.js';

/** What kernels of tfjs-node load of TensorFlow.js: the union of its packages, of which they use the core alone, and once the core. */
const names = ['@tensorflow/tfjs', '@tensorflow/tfjs-core'];

/**
 * Puts packages in the place of TensorFlow.js' own that hand on the tfjs-core of the process, which the engine's loader laid ready. So kernels and
 * workloads have one instance, wherever the two folders lie.
 * @param folder the set, with its node_modules
 */
export function writeStandIns(folder: string): void {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    const manifest = { name, version: '4.22.0', main: 'index.js', license: 'UNLICENSED' };
    writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(
      join(place, 'index.js'),
      `const core = globalThis[Symbol.for('${Symbol.keyFor(sharedCore)}')];
if (!core) throw new Error('This package is for the worker of GPU Job Manager alone.');
module.exports = core;
`,
    );
  }
}
