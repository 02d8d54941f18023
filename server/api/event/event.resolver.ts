import { Arg, Ctx, FieldResolver, ID, Int, Resolver, Root, Subscription } from 'type-graphql';
import { isAllowed } from '@gjm/core/access/policy.js';
import { badInput, notFound } from '@gjm/core/errors.js';
import { parseId } from '@gjm/core/ids.js';
import { isTerminal, type JobStatus } from '@gjm/core/job/status.js';
import type { StoredEvent } from '@gjm/core/wire/events.js';
import { readHead } from '../../persistence/transitions/read-events.js';
import { abortable } from '../abortable.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { JobType } from '../job/job.type.js';
import { createEventLoader } from './event.loader.js';
import { toEvent } from './event.mapper.js';
import { JobEventPageType, JobEventType } from './event.type.js';

interface WatchArguments {
  jobId: string;
  after?: number | null;
}

/** Access and cursor are checked before anything is opened. A job that has ended at or before `after` completes at once. */
async function watchJob(context: GraphqlContext, args: WatchArguments): Promise<AsyncIterable<StoredEvent>> {
  const after = args.after ?? 0;
  const jobId = parseId('job', args.jobId);
  const head = jobId && (await readHead(context.services.database, jobId));
  if (!head || !isAllowed(viewerOf(context), 'read', head)) throw notFound('There is no job with this id.');
  const isOver = isTerminal(head.status as JobStatus);
  if (after < 0 || (after > head.lastSequence && !isOver))
    throw badInput(`after must be 0 to ${head.lastSequence}, the job's last number.`);
  return abortable((abort) =>
    isOver && after >= head.lastSequence ? nothing() : context.services.hubs.watch(jobId, after, abort),
  );
}

async function* nothing(): AsyncGenerator<never, void, void> {}

@Resolver(() => JobType)
export class EventResolver {
  @Subscription(() => JobEventType, {
    description:
      'Replays every event after that number, then goes live; completes after the terminal status event.',
    subscribe: ({ context, args }: { context: GraphqlContext; args: WatchArguments }) =>
      watchJob(context, args) as never,
  })
  jobEvents(
    @Root() event: StoredEvent,
    @Arg('jobId', () => ID) _jobId: string,
    @Arg('after', () => Int, { nullable: true, defaultValue: 0 }) _after: number | null,
    @Ctx() context: GraphqlContext,
  ): JobEventType {
    return toEvent(event, context.files, viewerOf(context));
  }

  @FieldResolver(() => JobEventPageType, { description: 'Ascending; first 1 to 1000.' })
  async events(
    @Root() { record }: JobType,
    @Arg('after', () => Int, { nullable: true, defaultValue: 0 }) after: number | null,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100 }) first: number | null,
    @Ctx() context: GraphqlContext,
  ): Promise<JobEventPageType> {
    const limit = first ?? 100;
    if (limit < 1 || limit > 1_000) throw badInput('first must be 1 to 1000.');
    if ((after ?? 0) < 0) throw badInput('after must not be negative.');
    const events = await context.once(createEventLoader)({ jobId: record.id, after: after ?? 0, limit });
    const last = events.at(-1)?.sequence ?? after ?? 0;
    const lastSequence = Math.max(record.lastSequence, events.at(-1)?.sequence ?? 0);
    return Object.assign(new JobEventPageType(), {
      nodes: events.map((event) => toEvent(event, context.files, viewerOf(context))),
      hasMore: events.length === limit && last < lastSequence,
      lastSequence,
    });
  }
}
