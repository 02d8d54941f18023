import type { JobEvent } from '@gjm/client/index.js';
import type { NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { notFoundError, usageError } from '../exit.js';
import { Interrupted } from '../interrupt.js';
import { wholeNumberOf } from '../job/pairs.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { readJob } from '../watch/follow-job.js';
import { tellConnection } from '../watch/view.js';
import { streamJson, withJson, type AddCommand } from './command.js';

interface LogsOptions {
  follow?: boolean;
  stream?: string;
  attempt?: string;
  after: string;
}

type LogEvent = JobEvent & { __typename: 'JobLogEvent' };

/** What is stored now, page by page. */
async function* storedEvents(
  client: NodeClient,
  id: string,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<JobEvent, void, void> {
  let after = from;
  for (;;) {
    const page = await client.jobEvents(id, after, { signal });
    if (!page) throw notFoundError('job', id);
    yield* page.nodes;
    const last = page.nodes.at(-1);
    if (!page.hasMore || !last) return;
    after = last.sequence;
  }
}

function wanted({ stream, attempt }: LogsOptions): (event: JobEvent) => event is LogEvent {
  const name = stream?.toUpperCase();
  if (name !== undefined && !['STDOUT', 'STDERR', 'SYSTEM'].includes(name))
    throw usageError(`--stream takes stdout, stderr or system, not "${stream}".`);
  const number = attempt === undefined ? null : wholeNumberOf(attempt, '--attempt', 1);
  return (event): event is LogEvent =>
    event.__typename === 'JobLogEvent' &&
    (name === undefined || event.stream === name) &&
    (number === null || event.attempt === number);
}

/** Only log text goes to stdout. A stream's last line may lack its end; what follows starts on a line of its own. */
async function logs(context: Context, id: string, options: LogsOptions): Promise<void> {
  const { output, signal } = context;
  const isWanted = wanted(options);
  let last = wholeNumberOf(options.after, '--after', 0);
  const client = await context.client();
  const job = await readJob(client, id, signal);
  const onState = tellConnection((text) => output.note(text));
  const events = options.follow
    ? client.watch(id, { after: last, signal, onState })
    : storedEvents(client, id, last, signal);
  let isOpen = false;
  try {
    for await (const event of events) {
      last = event.sequence;
      if (!isWanted(event)) continue;
      if (output.isJson) await output.record(event);
      else await output.write(`${isOpen ? '\n' : ''}${visibleText(event.text)}`);
      isOpen = !event.text.endsWith('\n');
    }
  } catch (error) {
    if (error instanceof Interrupted && !output.isJson)
      output.note(`Detached. ${id} goes on: gjm logs -f ${id} --after ${last}`);
    throw error;
  }
  if (!options.follow && job.status === 'QUEUED')
    output.hint('It has not started yet: -f waits for its log.');
}

export const addLogs: AddCommand = (program, bind) => {
  withJson(program.command('logs'), streamJson)
    .description('print what a job wrote')
    .argument('<id>', 'id of the job')
    .option(
      '-f, --follow',
      'go on until the job is over; resumes where it stopped when the connection is lost',
    )
    .option('--stream <name>', 'only stdout, stderr or system')
    .option('--attempt <number>', 'only this attempt')
    .option('--after <number>', 'only events after this number', '0')
    .action(bind(logs));
};
