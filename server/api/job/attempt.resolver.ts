import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { isAllowed } from '@gjm/core/access/policy.js';
import { toArtifact } from '../artifact/artifact.mapper.js';
import { ArtifactRole, ArtifactType } from '../artifact/artifact.type.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { createDeviceLoaders } from '../device/device.loaders.js';
import { toDevice } from '../device/device.mapper.js';
import { DeviceType } from '../device/device.type.js';
import { registerNode } from '../node.resolver.js';
import { loadDevices } from './job-devices.js';
import { createJobLoaders } from './job.loaders.js';
import { toAttempt } from './job.mapper.js';
import { AttemptType, WaitReasonType } from './job.type.js';

registerNode('attempt', async (context, id) => {
  const [attempt] = await context.services.jobs.attemptsById([id]);
  const job = attempt && (await context.services.jobs.byId(attempt.jobId));
  return job && isAllowed(viewerOf(context), 'read', job) ? toAttempt(attempt, job) : null;
});

@Resolver(() => AttemptType)
export class AttemptResolver {
  @FieldResolver(() => [DeviceType])
  devices(@Root() attempt: AttemptType, @Ctx() context: GraphqlContext): Promise<DeviceType[]> {
    return loadDevices(context, attempt.id);
  }

  @FieldResolver(() => [ArtifactType])
  async artifacts(
    @Root() attempt: AttemptType,
    @Arg('role', () => ArtifactRole, { nullable: true }) role: ArtifactRole | null,
    @Ctx() context: GraphqlContext,
  ): Promise<ArtifactType[]> {
    const artifacts = await context.once(createJobLoaders).attemptArtifacts.load(attempt.id);
    return artifacts
      .filter((artifact) => role == null || artifact.role === role)
      .map((artifact) => toArtifact(artifact, context.files, viewerOf(context)));
  }
}

@Resolver(() => WaitReasonType)
export class WaitReasonResolver {
  @FieldResolver(() => [DeviceType], { description: 'The devices it is about.' })
  async devices(@Root() reason: WaitReasonType, @Ctx() context: GraphqlContext): Promise<DeviceType[]> {
    const { device } = context.once(createDeviceLoaders);
    const devices = await Promise.all(reason.deviceIds.map((id) => device.load(id)));
    return devices.flatMap((it) => (it ? [toDevice(it)] : []));
  }
}
