import type { Context } from '../context.js';
import type { ExitCode } from '../exit.js';
import { exitOfJob } from '../job/status-look.js';
import { secondsOf, wholeNumberOf } from '../job/pairs.js';
import { followJob } from '../watch/follow-job.js';
import { makeLineView, makeRecordView } from '../watch/line-view.js';
import { makeLiveView } from '../watch/live-view.js';
import type { JobView } from '../watch/view.js';
import { streamJson, withJson, type AddCommand } from './command.js';

/** How a job is shown here: as records, on a page of its own, or in lines. */
export function chooseView({ output }: Context, after = 0): JobView {
  if (output.isJson) return makeRecordView(output, after);
  return output.isScreen ? makeLiveView(output) : makeLineView(output);
}

async function watch(
  context: Context,
  id: string,
  options: { timeout?: string; after: string },
): Promise<ExitCode> {
  const seconds = options.timeout === undefined ? null : secondsOf(options.timeout, '--timeout');
  const view = chooseView(context, wholeNumberOf(options.after, '--after', 0));
  return exitOfJob(await followJob(context, id, view, seconds));
}

export const addWatch: AddCommand = (program, bind) => {
  withJson(program.command('watch'), streamJson)
    .description('follow a job to its end; exits 0 when it succeeded, 1 when it failed or was cancelled')
    .argument('<id>', 'id of the job')
    .option('--timeout <time>', 'wait at most this long (90, 90s, 10m, 2h), then exit 8')
    .option('--after <number>', 'with --json: only events after this number', '0')
    .action(bind(watch));
};
