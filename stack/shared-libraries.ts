import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.js';

/** The folders of libraries below `root`, where packages were unpacked, as LD_LIBRARY_PATH takes them; undefined when there are none. */
export async function libraryPathOf(root: string): Promise<string | undefined> {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const folders = [join(root, 'usr', 'lib', triplet), join(root, 'lib', triplet)].filter((one) =>
    existsSync(one),
  );
  return folders.length > 0 ? folders.join(':') : undefined;
}

/** Whether a program or a library needs another that is neither in the system nor in `libraryPath`. */
export async function lacksLibraries(program: string, libraryPath: string | undefined): Promise<boolean> {
  const env = { PATH: '/usr/bin:/bin', ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }) };
  return (await runProgram('ldd', [program], { limitMs: 10_000, env })).includes('not found');
}
