import {
  JobEventPageDocument,
  JobsDocument,
  type EventFieldsFragment,
  type JobRowFragment,
  type JobsQuery,
  type JobsQueryVariables,
} from './generated/graphql.js';
import type { Request, RequestOptions } from './request.js';

export type JobPage = JobsQuery['jobs'];
export type JobQuery = JobsQueryVariables;

/** Up to 400 of a job's events in ascending order. */
export interface JobEventPage {
  nodes: EventFieldsFragment[];
  hasMore: boolean;
  lastSequence: number;
}

/** One page, in keyset order: pass the `endCursor` of one as `after` of the next. */
export const readJobs = async (
  request: Request,
  query: JobQuery,
  options: RequestOptions,
): Promise<JobPage> => (await request(JobsDocument, query, options)).jobs;

/** Every job that matches, page by page as the loop asks for them. */
export async function* everyJob(
  request: Request,
  query: JobQuery,
  options: RequestOptions,
): AsyncGenerator<JobRowFragment, void, void> {
  let after = query.after ?? null;
  for (;;) {
    const { nodes, pageInfo } = await readJobs(request, { first: 100, ...query, after }, options);
    yield* nodes;
    // A cursor that does not move would read the same page for ever.
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null || pageInfo.endCursor === after) return;
    after = pageInfo.endCursor;
  }
}

export async function readJobEvents(
  request: Request,
  variables: { jobId: string; after: number },
  options: RequestOptions,
): Promise<JobEventPage | null> {
  return (await request(JobEventPageDocument, variables, options)).job?.events ?? null;
}
