import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { positionOf, type JobPageRequest } from '../../persistence/job.repository.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { JobFilter, JobOrder } from './job.input.js';
import { toJob } from './job.mapper.js';
import { toJobFilter, toPageRequest, writeCursor } from './job-page.js';
import { JobConnectionType, JobEdgeType, PageInfoType } from './job-connection.type.js';

/** Counting stops here. */
const countCap = 10_000;

@Resolver(() => JobConnectionType)
export class JobConnectionResolver {
  @Query(() => JobConnectionType, {
    description: 'Jobs that you may see, by keyset: first or last 1 to 100, 25 when not given.',
  })
  async jobs(
    @Arg('filter', () => JobFilter, { nullable: true }) filter: JobFilter | null,
    @Arg('orderBy', () => JobOrder, { nullable: true }) orderBy: JobOrder | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Arg('last', () => Int, { nullable: true }) last: number | null,
    @Arg('before', () => String, { nullable: true }) before: string | null,
    @Ctx() context: GraphqlContext,
  ): Promise<JobConnectionType> {
    const order = orderBy ?? { field: 'CREATED_AT', direction: 'DESC' };
    const request = toPageRequest(toJobFilter(viewerOf(context), filter), order, {
      first,
      after,
      last,
      before,
    });
    return readConnection(context, request);
  }

  @FieldResolver(() => Int, { description: 'Counted only when asked, up to 10,000.' })
  async totalCount(@Root() connection: JobConnectionType, @Ctx() context: GraphqlContext): Promise<number> {
    return Math.min(await count(connection, context), countCap);
  }

  @FieldResolver(() => Boolean, { description: 'False when there are more than were counted.' })
  async totalCountIsExact(
    @Root() connection: JobConnectionType,
    @Ctx() context: GraphqlContext,
  ): Promise<boolean> {
    return (await count(connection, context)) <= countCap;
  }
}

const count = (connection: JobConnectionType, { services }: GraphqlContext): Promise<number> =>
  (connection.counted ??= services.jobs.count(connection.filter, countCap + 1));

/** One row more than the page tells whether there is a next one. */
async function readConnection(
  { services }: GraphqlContext,
  request: JobPageRequest,
): Promise<JobConnectionType> {
  const { filter, orderBy, limit, backward, after, before } = request;
  const rows = await services.jobs.page({ ...request, limit: limit + 1 });
  const hasMore = rows.length > limit;
  const page = !hasMore ? rows : backward ? rows.slice(1) : rows.slice(0, limit);
  const edges = page.map((record) =>
    Object.assign(new JobEdgeType(), {
      cursor: writeCursor(positionOf(record, orderBy.field), filter, orderBy),
      node: toJob(record),
    }),
  );
  return Object.assign(new JobConnectionType(), {
    filter,
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: Object.assign(new PageInfoType(), {
      hasNextPage: backward ? before !== null : hasMore,
      hasPreviousPage: backward ? hasMore : after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    }),
  });
}
