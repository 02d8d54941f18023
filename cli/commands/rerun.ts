import { rerunInput, unwrap } from '@gjm/client/index.js';
import type { Context } from '../context.js';
import { notFoundError } from '../exit.js';
import { withJson, type AddCommand } from './command.js';

async function rerun(context: Context, id: string): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const earlier = await client.job(id, { signal });
  if (!earlier) throw notFoundError('job', id);
  const { job } = unwrap(await client.submit(rerunInput(earlier), { signal }));
  if (output.isJson) return output.document(job);
  await output.lines([job.id]);
  output.hint(`\n  gjm watch ${job.id}`);
}

export const addRerun: AddCommand = (program, bind) => {
  withJson(program.command('rerun'))
    .description('submit a job once more, with the same params and settings, and print the new id')
    .argument('<id>', 'id of the earlier job')
    .action(bind(rerun));
};
