import { Ctx, FieldResolver, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { DeviceRecord } from '../../application/records.js';
import { abortable } from '../abortable.js';
import type { GraphqlContext } from '../context.js';
import { registerNode } from '../node.resolver.js';
import { createDeviceLoaders } from './device.loaders.js';
import { toDevice, toWorker } from './device.mapper.js';
import { DeviceType, WorkerType } from './device.type.js';

registerNode('device', async (context, id) => {
  const device = await context.once(createDeviceLoaders).device.load(id);
  return device && toDevice(device);
});
registerNode('worker', async (context, id) => {
  const worker = await context.once(createDeviceLoaders).worker.load(id);
  return worker && toWorker(worker);
});

@Resolver(() => DeviceType)
export class DeviceResolver {
  @Query(() => [DeviceType])
  async devices(@Ctx() { services }: GraphqlContext): Promise<DeviceType[]> {
    return (await services.fleet.devices()).map(toDevice);
  }

  @Query(() => [WorkerType])
  async workers(@Ctx() { services }: GraphqlContext): Promise<WorkerType[]> {
    return (await services.fleet.workers()).map(toWorker);
  }

  @Subscription(() => DeviceType, {
    description: 'A device each time it looks different.',
    subscribe: ({ context }: { context: GraphqlContext }) =>
      abortable((abort) => context.services.deviceHub.watch(abort)),
  })
  devicesChanged(@Root() device: DeviceRecord): DeviceType {
    return toDevice(device);
  }

  @FieldResolver(() => WorkerType)
  async worker(@Root() device: DeviceType, @Ctx() context: GraphqlContext): Promise<WorkerType> {
    const worker = await context.once(createDeviceLoaders).worker.load(device.workerId);
    if (!worker) throw new Error(`Device ${device.id} has no worker.`);
    return toWorker(worker);
  }
}
