import { Field, ObjectType } from 'type-graphql';
import type { JobFilter } from '../../persistence/job-filter.js';
import { JobType } from './job.type.js';

@ObjectType('JobEdge', { simpleResolvers: true })
export class JobEdgeType {
  @Field(() => String)
  cursor!: string;

  @Field(() => JobType)
  node!: JobType;
}

@ObjectType('PageInfo', { simpleResolvers: true })
export class PageInfoType {
  @Field(() => Boolean)
  hasNextPage!: boolean;

  @Field(() => Boolean)
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true })
  startCursor!: string | null;

  @Field(() => String, { nullable: true })
  endCursor!: string | null;
}

/** `totalCount` and `totalCountIsExact` are in the resolver: counting is paid for only when asked. */
@ObjectType('JobConnection', { simpleResolvers: true })
export class JobConnectionType {
  filter!: JobFilter;
  /** Made at the first question, shared by both fields. */
  counted?: Promise<number>;

  @Field(() => [JobEdgeType])
  edges!: JobEdgeType[];

  @Field(() => [JobType])
  nodes!: JobType[];

  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
}
