import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import { compileBinding } from './compile-binding.js';
import { downloadPackage } from './download-package.js';
import { checkPlatform, findCompiler } from './machine.js';
import { bindingPackages, unpackPackages } from './packages.js';
import { type BuildPlace, putInPlace } from './place.js';
import { SetupProblem } from './problem.js';
import { writeStandIns } from './stand-ins.js';
import { findLibrary } from './tensorflow-library.js';
import { tryEngine } from './trial.js';

/**
 * Main of `npm run setup:tensorflow`: makes the set of packages behind the engines cuda and native. Exit codes: 0 done, 1 it could not be
 * done and nothing has changed, 2 called wrongly.
 */
const usage = `Usage: npm run setup:tensorflow -- --from FOLDER
  --from FOLDER   "tensorflow" of an installed Python package tensorflow or tensorflow-cpu; it must stay there
  Without it the package @tensorflow/tfjs-node-gpu downloads a TensorFlow of its own, for CUDA 11.2.`;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  const from = readArguments(argv);
  if (from === undefined) {
    console.error(usage);
    return 2;
  }
  try {
    checkPlatform();
    const folder = await putInPlace('tensorflow', from === null ? makeDownloaded : makeCompiled(from));
    console.log(`Set up in ${folder}. Workers that start from now on use it.`);
    return 0;
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** The folder that was named, null when none was, undefined when the arguments are wrong. */
function readArguments(argv: string[]): string | null | undefined {
  try {
    return parseArgs({ args: argv, options: { from: { type: 'string' } } }).values.from ?? null;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

function makeCompiled(from: string): (place: BuildPlace) => Promise<void> {
  // All checks first: nothing is fetched for a machine that lacks something.
  const library = findLibrary(from);
  const compiler = findCompiler();
  return async (place) => {
    unpackPackages(bindingPackages, place.folder);
    compileBinding(compiler, join(place.folder, 'node_modules/@tensorflow/tfjs-node'), library);
    writeStandIns(place.folder);
    tryEngines(place);
  };
}

async function makeDownloaded(place: BuildPlace): Promise<void> {
  downloadPackage(place.folder);
  writeStandIns(place.folder);
  tryEngines(place);
}

/** The CPU must work with any build of the library; a GPU may come later, so that what is missing for it is only told. */
function tryEngines({ packages }: BuildPlace): void {
  const native = tryEngine('native', packages);
  if (!native.offered) throw new SetupProblem(`The engine native does not work: ${native.message}`);
  for (const row of [native, tryEngine('cuda', packages)]) console.log(describe(row));
}

function describe({ engine, offered, code, message, version }: EngineAudit): string {
  return offered ? `${engine}: ${version}. ${message}` : `${engine}: not here (${code}). ${message}`;
}
