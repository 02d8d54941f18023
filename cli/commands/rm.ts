import { unwrap } from '@gjm/client/index.js';
import type { Context } from '../context.js';
import { withJson, type AddCommand } from './command.js';

async function rm(context: Context, id: string): Promise<void> {
  const client = await context.client();
  const deleted = unwrap(await client.deleteJob(id));
  if (context.output.isJson) return context.output.document({ id: deleted.id });
  await context.output.lines([`${id} is deleted.`]);
}

export const addRm: AddCommand = (program, bind) => {
  withJson(program.command('rm'))
    .description('delete a job that is over, with its log and its artifacts')
    .argument('<id>', 'id of the job')
    .action(bind(rm));
};
