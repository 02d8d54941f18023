import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bindingPath } from '../engines/tensorflow-package.js';
import type { Compiler } from './machine.js';
import { runProgram } from './run-program.js';
import { libraryFiles } from './tensorflow-library.js';

const compileLimitMs = 10 * 60_000;

/**
 * Compiles the unmodified binding of tfjs-node, two files against Node-API, and links it to the library where that lies. One call of the
 * compiler: the package's own way needs node-gyp, Python and make for the same.
 * @param packageFolder the unpacked package
 * @param library the folder that holds it
 * @throws SetupProblem with the compiler's last lines
 */
export function compileBinding(compiler: Compiler, packageFolder: string, library: string): void {
  const output = join(packageFolder, bindingPath);
  mkdirSync(dirname(output), { recursive: true });
  const sources = ['tfjs_backend.cc', 'tfjs_binding.cc'].map((file) => join(packageFolder, 'binding', file));
  const args = [
    ...['-shared', '-fPIC', '-O2', '-std=c++17', '-DNAPI_VERSION=8'],
    ...[`-I${compiler.nodeHeaders}`, `-I${join(library, 'include')}`],
    ...sources,
    ...['-o', output, `-L${library}`, ...libraryFiles.map((file) => `-l:${file}`)],
    // Named by its own path and not by a link: the library looks for CUDA's libraries beside the place it was found at.
    `-Wl,-rpath,${library}`,
  ];
  runProgram(compiler.program, args, {
    failure: 'The binding could not be compiled',
    limitMs: compileLimitMs,
  });
}
