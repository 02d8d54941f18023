import type { Device } from '../../lib/fleet.js';

/** Devices that are shown together: the slices of a GPU, or one device by itself. */
export interface DeviceGroup {
  /** The GPU that they are slices of; null for a device by itself. */
  gpu: string | null;
  devices: readonly Device[];
}

type Named = Pick<Device, 'kind' | 'name' | 'uid'>;

const slicedName = /^(.+) MIG (\S+)$/;
/** Older drivers name the GPU in a slice's id; newer ones leave only its model to tell slices by. */
const slicedUid = /^MIG-(GPU-[^/]+)\//;

/** What a slice's name and id tell: its GPU's name, its profile, and what it has in common with the others of its GPU. Null for no slice. */
export function sliceOf({ kind, name, uid }: Named): { gpu: string; profile: string; key: string } | null {
  const [, gpu, profile] = slicedName.exec(name) ?? [];
  if (kind !== 'MIG' || !gpu || !profile) return null;
  return { gpu, profile, key: slicedUid.exec(uid)?.[1] ?? gpu };
}

/** One machine's devices in groups, in the order of the first of each. */
export function groupDevices(devices: readonly Device[]): DeviceGroup[] {
  const groups = new Map<string, { gpu: string | null; devices: Device[] }>();
  for (const device of devices) {
    const slice = sliceOf(device);
    const key = slice ? `slices of ${slice.key}` : device.id;
    const group = groups.get(key);
    if (group) group.devices.push(device);
    else groups.set(key, { gpu: slice?.gpu ?? null, devices: [device] });
  }
  return [...groups.values()];
}

/** What a machine has, in words: `2 × NVIDIA H100, CPU`. Slices count as the GPU that they are of. */
export function devicesInWords(devices: readonly Device[]): string {
  const counts = new Map<string, number>();
  for (const { gpu, devices: members } of groupDevices(devices)) {
    const name = gpu ?? members[0]?.name ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(', ');
}
