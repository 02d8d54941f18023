import { unwrap } from '@gjm/client/index.js';
import type { Context } from '../context.js';
import { exitCodes, type ExitCode } from '../exit.js';
import { secondsOf } from '../job/pairs.js';
import { followJob } from '../watch/follow-job.js';
import { makeQuietView } from '../watch/line-view.js';
import { withJson, type AddCommand } from './command.js';

interface CancelOptions {
  reason?: string;
  wait?: boolean;
  timeout?: string;
}

async function cancel(context: Context, id: string, options: CancelOptions): Promise<ExitCode> {
  const { output } = context;
  const seconds = options.timeout === undefined ? null : secondsOf(options.timeout, '--timeout');
  const client = await context.client();
  const { job } = unwrap(await client.cancel(id, options.reason));
  if (!options.wait) {
    if (output.isJson) await output.document(job);
    else
      await output.lines([job.status === 'CANCELLED' ? `${id} is cancelled.` : `${id} was asked to stop.`]);
    return exitCodes.ok;
  }
  const ended = await followJob(context, id, makeQuietView(output), seconds);
  if (output.isJson) await output.document(ended);
  else await output.lines([`${id} ended ${ended.status}.`]);
  // The first commit wins: a job may have ended otherwise while it was asked.
  return ended.status === 'CANCELLED' ? exitCodes.ok : exitCodes.jobFailed;
}

export const addCancel: AddCommand = (program, bind) => {
  withJson(program.command('cancel'))
    .description('cancel a job: a queued one at once, a running one when its processes are gone')
    .argument('<id>', 'id of the job')
    .option('--reason <text>', 'why, for whoever reads the job later')
    .option('--wait', 'until it is over; exits 1 when it ended otherwise than cancelled')
    .option('--timeout <time>', 'with --wait: at most this long, then exit 8')
    .action(bind(cancel));
};
