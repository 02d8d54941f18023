import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { DrainResult as Drained } from '../../application/drain.js';
import { viewerOf, type GraphqlContext } from '../context.js';
import { toProblem } from '../problem/problem.mapper.js';
import { createDeviceLoaders } from './device.loaders.js';
import { toDevice } from './device.mapper.js';
import { DrainInput, DrainResult, DrainSuccess } from './drain.type.js';

@Resolver()
export class DrainResolver {
  @Mutation(() => DrainResult, {
    description:
      'For an ADMIN. What runs on the device, or on all devices of the worker, goes on to its end; nothing new is placed there.',
  })
  async drain(
    @Arg('input', () => DrainInput) input: DrainInput,
    @Ctx() context: GraphqlContext,
  ): Promise<object> {
    return answer(context, await context.services.drains.drain(viewerOf(context), input));
  }

  @Mutation(() => DrainResult, { description: 'For an ADMIN. Ends a drain of the device or the worker.' })
  async undrain(@Arg('id', () => ID) id: string, @Ctx() context: GraphqlContext): Promise<object> {
    return answer(context, await context.services.drains.undrain(viewerOf(context), id));
  }
}

/** The devices are read again: what is shown is how they stand after it. */
async function answer(context: GraphqlContext, result: Drained): Promise<object> {
  if (!result.ok) return toProblem(result.problem);
  const devices = await context.once(createDeviceLoaders).device.loadMany(result.value);
  const found = devices.flatMap((device) => (device && !(device instanceof Error) ? [toDevice(device)] : []));
  return Object.assign(new DrainSuccess(), { devices: found });
}
