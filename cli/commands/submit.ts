import { unwrap } from '@gjm/client/index.js';
import type { Context } from '../context.js';
import { exitCodes, type ExitCode } from '../exit.js';
import { collect, secondsOf } from '../job/pairs.js';
import { exitOfJob } from '../job/status-look.js';
import { submitInputOf, type SubmitOptions } from '../job/submit-input.js';
import { followJob } from '../watch/follow-job.js';
import { makeQuietView } from '../watch/line-view.js';
import { withJson, type AddCommand } from './command.js';
import { chooseView } from './watch.js';

interface Options extends SubmitOptions {
  wait?: boolean;
  watch?: boolean;
  waitTimeout?: string;
}

async function submit(context: Context, kind: string, options: Options): Promise<ExitCode> {
  const { output, signal } = context;
  const seconds = options.waitTimeout === undefined ? null : secondsOf(options.waitTimeout, '--wait-timeout');
  const client = await context.client();
  const input = await submitInputOf(client, kind, options, signal);
  const { job } = unwrap(await client.submit(input, { signal }));
  const { id } = job;
  if (!output.isJson) await output.lines([id]);
  if (options.watch) return exitOfJob(await followJob(context, id, chooseView(context), seconds));
  if (options.wait) {
    const ended = await followJob(context, id, makeQuietView(output), seconds);
    if (output.isJson) await output.document(ended);
    return exitOfJob(ended);
  }
  if (output.isJson) await output.document(job);
  output.hint(`\n  gjm watch ${id}\n  gjm logs -f ${id}\n  gjm cancel ${id}`);
  return exitCodes.ok;
}

export const addSubmit: AddCommand = (program, bind) => {
  withJson(program.command('submit'))
    .description('submit a job and print its id')
    .argument('<kind>', 'such as image.upscale; gjm kinds lists them')
    .option('--param <key=value>', 'a param, typed by the kind (repeatable)', collect)
    .option('--params-json <json>', 'params as a JSON object, @file, or - for stdin; --param goes before it')
    .option(
      '--file <field=path>',
      'upload a file and use it as this param (repeatable; again for the same param where it takes several)',
      collect,
    )
    .option('--name <text>', 'what to call it')
    .option('--label <key=value>', 'a label (repeatable)', collect)
    .option('--priority <number>', '0 to 100; higher goes first')
    .option('--timeout <time>', 'the most an attempt may take (90, 90s, 10m, 2h)')
    .option('--tier <name>', 'the tier of the kind’s models; else the smallest that will do')
    .option('--max-attempts <count>', 'attempts that may end by a fault that is not the job’s own')
    .option(
      '--device <wish>',
      'gpu, cpu, name=…, worker=…, minMemoryBytes=8GB, label.key=value (repeatable)',
      collect,
    )
    .option('--devices <count>', 'devices of one worker, for a kind that takes several')
    .option('--request-id <id>', 'submitting again with the same id gives the same job')
    .option('--wait', 'until it is over; exits 0 when it succeeded, 1 when it failed or was cancelled')
    .option('--watch', 'the same, shown live')
    .option('--wait-timeout <time>', 'wait at most this long, then exit 8')
    .action(bind(submit));
};
