import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { exitCodes, usageError, type ExitCode } from '../exit.js';
import { collect, pairOf } from '../job/pairs.js';
import { saveFiles } from '../job/save-files.js';
import { exitOfJob } from '../job/status-look.js';
import { submitInputOf, type SubmitOptions } from '../job/submit-input.js';
import { zipFolder } from '../job/zip-folder.js';
import { followJob } from '../watch/follow-job.js';
import { makeOutputView } from '../watch/output-view.js';
import { withJson, type AddCommand } from './command.js';
import { chooseView } from './watch.js';

interface Options extends Pick<
  SubmitOptions,
  'name' | 'label' | 'priority' | 'timeout' | 'device' | 'devices'
> {
  files?: string;
  env?: string[];
  expect?: string[];
  environment?: string;
  out?: string;
  detach?: boolean;
}

async function run(context: Context, command: string[], options: Options): Promise<ExitCode> {
  const { output, signal } = context;
  const { files, env = [], expect = [], environment, out, detach, ...settings } = options;
  const client = await context.client();
  const params = {
    ...{ command, expect, env: Object.fromEntries(env.map((pair) => pairOf(pair, '--env'))) },
    ...(environment === undefined ? {} : { environment }),
    ...(files === undefined ? {} : { files: await uploadOf(client, files, signal) }),
  };
  const paramsJson = JSON.stringify(params);
  const input = await submitInputOf(client, 'process.run', { ...settings, paramsJson }, signal);
  const { job } = unwrap(await client.submit(input, { signal }));
  if (detach) {
    await (output.isJson ? output.document(job) : output.lines([job.id]));
    return exitCodes.ok;
  }
  const view = output.isJson || output.isScreen ? chooseView(context) : makeOutputView(output);
  const ended = await followJob(context, job.id, view, null);
  if (out !== undefined && ended.status === 'SUCCEEDED') {
    const results = ended.artifacts.filter(({ role }) => role === 'RESULT');
    const saved = await saveFiles(client, results, { folder: out, force: false, signal });
    for (const { path } of saved) output.hint(path);
  }
  return exitOfJob(ended);
}

/** A zip goes as it is, a folder is packed. */
async function uploadOf(client: NodeClient, path: string, signal: AbortSignal): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found) throw usageError(`${path} can not be read.`);
  if (!found.isDirectory()) return (await client.uploadFile(path, { signal })).id;
  const folder = await mkdtemp(join(tmpdir(), 'gjm-files-'));
  try {
    const zip = join(folder, 'files.zip');
    if ((await zipFolder(path, zip, signal)) === 0) throw usageError(`${path} has no files.`);
    return (await client.uploadFile(zip, { signal })).id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const addRun: AddCommand = (program, bind) => {
  withJson(program.command('run'))
    .description(
      'run a program of your own, shown live; exits 0 when it succeeded, 1 when it failed or was cancelled',
    )
    .argument('<command...>', 'the program and its arguments, behind --')
    .option('--files <path>', 'a folder, which is packed, or a zip: the program starts among these files')
    .option('--env <name=value>', 'an environment variable (repeatable)', collect)
    .option('--expect <pattern>', 'a file that it must leave in GJM_OUTPUT_DIR (repeatable)', collect)
    .option('--environment <name>', 'a named environment of the worker')
    .option('--devices <count>', 'devices of one worker')
    .option(
      '--device <wish>',
      'gpu, cpu, name=…, worker=…, minMemoryBytes=8GB, label.key=value (repeatable)',
      collect,
    )
    .option('--out <folder>', 'where its results are downloaded to when it has succeeded')
    .option('--name <text>', 'what to call it')
    .option('--label <key=value>', 'a label (repeatable)', collect)
    .option('--priority <number>', '0 to 100; higher goes first')
    .option('--timeout <time>', 'the most an attempt may take (90, 90s, 10m, 2h)')
    .option('--detach', 'print the id and do not wait')
    .action(bind(run));
};
