import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { isAllowed } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { isTerminal } from '@gjm/core/job/status.js';
import type { JobListChange } from '../../application/watch-jobs.js';
import { abortable } from '../abortable.js';
import { UserType } from '../account/account.type.js';
import { toArtifact } from '../artifact/artifact.mapper.js';
import { ArtifactType } from '../artifact/artifact.type.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { DeviceType } from '../device/device.type.js';
import { registerNode } from '../node.resolver.js';
import { toProblem } from '../problem/problem.mapper.js';
import { loadDevices } from './job-devices.js';
import { CancelJobInput, DeleteJobInput, JobFilter, SubmitJobInput } from './job.input.js';
import { createJobLoaders } from './job.loaders.js';
import { toAttempt, toDecision, toJob, toWaiting } from './job.mapper.js';
import { toJobFilter } from './job-page.js';
import {
  CancelJobResult,
  CancelJobSuccess,
  DeleteJobResult,
  DeleteJobSuccess,
  SubmitJobResult,
  SubmitJobSuccess,
} from './job.result.js';
import {
  AttemptType,
  DecisionType,
  JobChangeType,
  JobPermissionsType,
  JobType,
  WaitingType,
} from './job.type.js';

/** The job if the viewer may see it; null looks the same for unknown, foreign and malformed ids. */
async function findJob(context: GraphqlContext, id: string): Promise<JobType | null> {
  const jobId = parseId('job', id);
  const job = jobId && (await context.services.jobs.byId(jobId));
  return job && isAllowed(viewerOf(context), 'read', job) ? toJob(job) : null;
}
registerNode('job', findJob);

@Resolver(() => JobType)
export class JobResolver {
  @Query(() => JobType, { nullable: true, description: 'Null for an unknown, foreign or malformed id.' })
  job(@Arg('id', () => ID) id: string, @Ctx() context: GraphqlContext): Promise<JobType | null> {
    return findJob(context, id);
  }

  @Mutation(() => SubmitJobResult)
  async submitJob(
    @Arg('input', () => SubmitJobInput) input: SubmitJobInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.services.submitJob(viewerOf(context), { ...input }, context.traceId);
    return result.ok
      ? Object.assign(new SubmitJobSuccess(), { job: toJob(result.value) })
      : toProblem(result.problem);
  }

  @Mutation(() => CancelJobResult, {
    description: 'A queued job ends at once; a running one when its processes are gone. First commit wins.',
  })
  async cancelJob(
    @Arg('input', () => CancelJobInput) input: CancelJobInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.services.cancelJob(viewerOf(context), input.id, input.reason ?? null);
    return result.ok
      ? Object.assign(new CancelJobSuccess(), { job: toJob(result.value) })
      : toProblem(result.problem);
  }

  @Mutation(() => DeleteJobResult, {
    description: 'Only an ended job: all its rows go at once, its bytes follow.',
  })
  async deleteJob(
    @Arg('input', () => DeleteJobInput) input: DeleteJobInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    const result = await context.services.deleteJob(viewerOf(context), input.id);
    return result.ok
      ? Object.assign(new DeleteJobSuccess(), { id: result.value })
      : toProblem(result.problem);
  }

  @Subscription(() => JobChangeType, {
    description:
      'Changes of jobs that you may see. No numbers: after a (re)connect read the page again. Newest state wins, at most 10 a second.',
    subscribe: ({ context, args }: { context: GraphqlContext; args: { filter?: JobFilter | null } }) => {
      const filter = toJobFilter(viewerOf(context), args.filter);
      return abortable((abort) => context.services.jobList.watch(filter, abort));
    },
  })
  jobsChanged(
    @Root() change: JobListChange,
    @Arg('filter', () => JobFilter, { nullable: true }) _filter: JobFilter | null,
  ): JobChangeType {
    const fields = 'job' in change ? { job: toJob(change.job), deletedId: null } : { job: null, ...change };
    return Object.assign(new JobChangeType(), fields);
  }

  @FieldResolver(() => UserType)
  async owner(@Root() { record }: JobType, @Ctx() context: GraphqlContext): Promise<UserType> {
    const viewer = viewerOf(context);
    const isOwn = record.ownerId === viewer.id;
    const owner = isOwn
      ? { id: viewer.id, name: viewer.name }
      : await context.once(createJobLoaders).ownerName.load(record.ownerId);
    return Object.assign(new UserType(), owner ?? { id: record.ownerId, name: 'removed user' });
  }

  @FieldResolver(() => [DeviceType], {
    description: 'Devices of the attempt that lives, else of the last one.',
  })
  async devices(@Root() { record }: JobType, @Ctx() context: GraphqlContext): Promise<DeviceType[]> {
    if (record.attemptCount === 0) return [];
    const attempt = (await context.once(createJobLoaders).attempts.load(record.id)).at(-1);
    return attempt ? loadDevices(context, attempt.id) : [];
  }

  @FieldResolver(() => [AttemptType])
  async attempts(@Root() { record }: JobType, @Ctx() context: GraphqlContext): Promise<AttemptType[]> {
    if (record.attemptCount === 0) return [];
    const attempts = await context.once(createJobLoaders).attempts.load(record.id);
    return attempts.map((attempt) => toAttempt(attempt, record));
  }

  @FieldResolver(() => [ArtifactType], {
    description: 'The result: RESULT artifacts of the accepted attempt.',
  })
  async artifacts(@Root() { record }: JobType, @Ctx() context: GraphqlContext): Promise<ArtifactType[]> {
    if (record.status !== 'SUCCEEDED') return [];
    const artifacts = await context.once(createJobLoaders).artifacts.load(record.id);
    return artifacts.map((artifact) => toArtifact(artifact, context.files, viewerOf(context)));
  }

  @FieldResolver(() => [DecisionType])
  async decisions(@Root() { record }: JobType, @Ctx() context: GraphqlContext): Promise<DecisionType[]> {
    return (await context.once(createJobLoaders).decisions.load(record.id)).map(toDecision);
  }

  @FieldResolver(() => WaitingType, { nullable: true, description: 'Null unless QUEUED.' })
  async waiting(
    @Root() { record }: JobType,
    @Ctx() { services }: GraphqlContext,
  ): Promise<WaitingType | null> {
    const waiting = await services.waiting.explain(record);
    return waiting && toWaiting(waiting);
  }

  @FieldResolver(() => JobPermissionsType)
  permissions(@Root() { record }: JobType, @Ctx() context: GraphqlContext): JobPermissionsType {
    const viewer = viewerOf(context);
    const isOver = isTerminal(record.status);
    return Object.assign(new JobPermissionsType(), {
      canCancel: !isOver && isAllowed(viewer, 'cancel', record),
      canDelete: isOver && isAllowed(viewer, 'delete', record),
    });
  }
}
