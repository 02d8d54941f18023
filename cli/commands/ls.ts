import type { JobFilter, JobRow, JobStatus } from '@gjm/client/index.js';
import type { Context } from '../context.js';
import { usageError } from '../exit.js';
import { jobColumns } from '../job/job-table.js';
import { collect, pairOf, wholeNumberOf } from '../job/pairs.js';
import { tableLines } from '../text/table.js';
import { withJson, type AddCommand } from './command.js';

interface LsOptions {
  status?: string[];
  kind?: string[];
  label?: string[];
  text?: string;
  limit: string;
  all?: boolean;
}

const statuses: readonly string[] = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'];
/** The most that one page of the API holds. */
const pageSize = 100;

function statusOf(text: string): JobStatus {
  const status = text.toUpperCase();
  if (!statuses.includes(status)) throw usageError(`--status takes ${statuses.join(', ')}, not "${text}".`);
  return status as JobStatus;
}

const listOf = (values: string[] | undefined): string[] =>
  (values ?? []).flatMap((value) => value.split(','));

function filterOf({ status, kind, label, text }: LsOptions): JobFilter | null {
  const filter: JobFilter = {};
  if (status) filter.status = listOf(status).map(statusOf);
  if (kind) filter.kind = listOf(kind);
  if (label) filter.labels = Object.fromEntries(label.map((pair) => pairOf(pair, '--label')));
  if (text !== undefined) filter.text = text;
  return Object.keys(filter).length > 0 ? filter : null;
}

async function ls(context: Context, options: LsOptions): Promise<void> {
  const { output, signal } = context;
  const limit = options.all ? Infinity : wholeNumberOf(options.limit, '--limit', 1);
  const filter = filterOf(options);
  const client = await context.client();
  const rows: JobRow[] = [];
  let hasMore = false;
  const first = Math.min(pageSize, limit + 1);
  for await (const row of client.eachJob({ filter, first }, { signal })) {
    hasMore = rows.length === limit;
    if (hasMore) break;
    rows.push(row);
  }
  if (output.isJson) return output.document(rows);
  if (rows.length === 0) return output.hint('There are no such jobs.');
  const { paint } = output;
  await output.lines(tableLines(jobColumns(paint, Date.now()), rows, output.cells(), paint.dim));
  if (hasMore) output.hint(`There are more: --limit ${limit * 2}, or --all.`);
}

export const addLs: AddCommand = (program, bind) => {
  withJson(program.command('ls'))
    .description('list jobs, newest first')
    .option('--status <status>', 'only these (repeatable, or separated by commas)', collect)
    .option('--kind <kind>', 'only these kinds (repeatable)', collect)
    .option('--label <key=value>', 'only jobs that have this label (repeatable: all of them)', collect)
    .option('--text <text>', 'part of the name, or an id')
    .option('--limit <count>', 'how many at most', '25')
    .option('--all', 'all there are')
    .action(bind(ls));
};
