import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetupProblem } from './problem.js';

export const libraryFiles = ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2'] as const;

/** Of the headers that the binding includes, one of each part. */
const headerFiles = [
  'include/tensorflow/c/c_api.h',
  'include/tensorflow/c/eager/c_api.h',
  'include/tensorflow/core/platform/ctstring_internal.h',
];

/**
 * The folder `tensorflow` of a Python package, which holds the C library with its headers. It must stay where it is: the binding finds the library
 * there.
 * @param given the folder, or the site-packages that it lies in
 * @returns an absolute path without links
 * @throws SetupProblem naming what is not there
 */
export function findLibrary(given: string): string {
  const path = [join(resolve(given), 'tensorflow'), resolve(given)].find((candidate) =>
    existsSync(join(candidate, libraryFiles[0])),
  );
  if (!path) {
    throw new SetupProblem(
      `${given} has no ${libraryFiles[0]}: name the folder "tensorflow" of an installed Python package tensorflow or tensorflow-cpu.`,
    );
  }
  const absent = [...libraryFiles, ...headerFiles].find((file) => !existsSync(join(path, file)));
  if (absent) throw new SetupProblem(`${path} has no ${absent}: is the Python package installed whole?`);
  return realpathSync(path);
}
