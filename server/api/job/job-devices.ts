import type { GraphqlContext } from '../context.js';
import { createDeviceLoaders } from '../device/device.loaders.js';
import { toDevice } from '../device/device.mapper.js';
import type { DeviceType } from '../device/device.type.js';
import { createJobLoaders } from './job.loaders.js';

/** The devices an attempt had, in batches. One whose row is gone is left out. */
export async function loadDevices(context: GraphqlContext, attemptId: string): Promise<DeviceType[]> {
  const ids = await context.once(createJobLoaders).attemptDeviceIds.load(attemptId);
  const devices = await Promise.all(ids.map((id) => context.once(createDeviceLoaders).device.load(id)));
  return devices.flatMap((device) => (device ? [toDevice(device)] : []));
}
