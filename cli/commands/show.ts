import type { Context } from '../context.js';
import { jobPage } from '../job/job-page.js';
import { readJob } from '../watch/follow-job.js';
import { withJson, type AddCommand } from './command.js';

async function show(context: Context, id: string): Promise<void> {
  const { output, signal } = context;
  const job = await readJob(await context.client(), id, signal);
  if (output.isJson) return output.document(job);
  await output.lines(jobPage(job, output, Date.now()));
}

export const addShow: AddCommand = (program, bind) => {
  withJson(program.command('show'))
    .description('everything about a job: facts, why it waits, attempts, decisions, artifacts')
    .argument('<id>', 'id of the job')
    .action(bind(show));
};
