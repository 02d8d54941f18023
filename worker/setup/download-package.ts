import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.js';

const downloadLimitMs = 30 * 60_000;

/**
 * Installs the package that brings a library of its own (TensorFlow 2.9.1 for CUDA 11.2): its install script downloads it from its maker's
 * storage.
 * @throws SetupProblem with npm's last lines
 */
export function downloadPackage(folder: string): void {
  const manifest = { private: true, dependencies: { '@tensorflow/tfjs-node-gpu': '4.22.0' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  runProgram('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--foreground-scripts'], {
    failure: 'The download of TensorFlow failed ("--from" takes the library of a Python package instead)',
    cwd: folder,
    limitMs: downloadLimitMs,
  });
}
