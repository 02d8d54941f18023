import type { StoredFile } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { notFoundError, usageError } from '../exit.js';
import { saveFiles } from '../job/save-files.js';
import { artifactColumns } from '../job/job-page.js';
import { tableLines } from '../text/table.js';
import { readJob } from '../watch/follow-job.js';
import { withJson, type AddCommand } from './command.js';

async function list(context: Context, id: string): Promise<void> {
  const { output, signal } = context;
  const { artifacts } = await readJob(await context.client(), id, signal);
  if (output.isJson) return output.document(artifacts);
  if (artifacts.length === 0) return output.hint('It has made nothing yet.');
  await output.lines(tableLines(artifactColumns, artifacts, output.cells(), output.paint.dim));
}

/** One file by its own id, or those of a job. */
async function filesOf(
  client: NodeClient,
  id: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<StoredFile[]> {
  if (/^(art|upl)_/.test(id)) {
    const file = await client.file(id, { signal });
    if (!file) throw notFoundError('file', id);
    return [file];
  }
  const { artifacts } = await readJob(client, id, signal);
  const missing = names.filter((wish) => !artifacts.some(({ name }) => name === wish));
  if (missing.length > 0) throw notFoundError('artifact', missing.join(', '));
  if (artifacts.length === 0) throw usageError(`${id} has no artifacts.`);
  return artifacts.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function get(
  context: Context,
  id: string,
  names: string[],
  options: { out: string; force?: boolean },
): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const files = await filesOf(client, id, names, signal);
  const saved = await saveFiles(client, files, {
    folder: options.out,
    force: options.force ?? false,
    signal,
  });
  if (output.isJson) return output.document(saved);
  for (const { path, isNew } of saved) if (!isNew) output.hint(`${path} was here already, whole.`);
  await output.lines(saved.map(({ path }) => path));
}

export const addArtifacts: AddCommand = (program, bind) => {
  const group = program.command('artifacts').description('what a job made');
  withJson(group.command('ls'))
    .description('list the artifacts of a job')
    .argument('<job>', 'id of the job')
    .action(bind(list));
  withJson(group.command('get'))
    .description('download artifacts, checked by size and SHA-256; prints where they lie')
    .argument('<id>', 'id of the job, or of one artifact')
    .argument('[names...]', 'only these of the job; all when left out')
    .option('--out <folder>', 'where to', '.')
    .option('--force', 'replace files that are there')
    .action(bind(get));
};
