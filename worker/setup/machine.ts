import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupProblem } from './problem.js';
import { runProgram } from './run-program.js';

/** @throws SetupProblem on a machine for which TensorFlow's C library is not made */
export function checkPlatform(platform = process.platform, arch = process.arch): void {
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch)) {
    throw new SetupProblem(
      `TensorFlow's C library is set up on Linux on x64 or arm64 only; this is ${platform} on ${arch}.`,
    );
  }
}

/** What compiling against Node-API needs. */
export interface Compiler {
  program: string;
  nodeHeaders: string;
}

/** @throws SetupProblem naming what to install */
export function findCompiler(node = process.execPath): Compiler {
  const program = ['g++', 'clang++', 'c++'].find((name) => {
    try {
      runProgram(name, ['--version'], { failure: name, limitMs: 10_000 });
      return true;
    } catch {
      return false;
    }
  });
  if (!program)
    throw new SetupProblem('There is no C++ compiler: on Debian and Ubuntu, apt-get install g++.');
  const prefixes = [dirname(dirname(node)), '/usr', '/usr/local'];
  const nodeHeaders = prefixes
    .map((prefix) => join(prefix, 'include/node'))
    .find((folder) => existsSync(join(folder, 'node_api.h')));
  if (!nodeHeaders) {
    throw new SetupProblem(
      `There are no headers of Node (include/node/node_api.h) beside ${node}: take Node from nodejs.org, or on Debian apt-get install libnode-dev.`,
    );
  }
  return { program, nodeHeaders };
}
