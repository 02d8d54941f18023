import { expect, test } from '@jest/globals';
import type { Device } from '../../lib/fleet.js';
import { devicesInWords, groupDevices, sliceOf } from './device-groups.js';

const device = (id: string, kind: Device['kind'], name: string, uid = id): Device =>
  ({ id, kind, name, uid }) as Device;

test('slices stand together by the GPU in their ids, else by its name; other devices stand alone', () => {
  const whole = device('0', 'GPU', 'NVIDIA H100');
  const slices = [
    device('1', 'MIG', 'NVIDIA H100 MIG 3g.40gb', 'MIG-1111'),
    device('2', 'MIG', 'NVIDIA H100 MIG 1g.10gb', 'MIG-2222'),
  ];
  const older = [
    device('3', 'MIG', 'NVIDIA A100 MIG 1g.5gb', 'MIG-GPU-aa/1/0'),
    device('4', 'MIG', 'NVIDIA A100 MIG 1g.5gb', 'MIG-GPU-bb/1/0'),
  ];
  expect(groupDevices([whole, ...slices, ...older])).toEqual([
    { gpu: null, devices: [whole] },
    { gpu: 'NVIDIA H100', devices: slices },
    { gpu: 'NVIDIA A100', devices: [older[0]] },
    { gpu: 'NVIDIA A100', devices: [older[1]] },
  ]);
  expect(sliceOf(slices[0]!)?.profile).toBe('3g.40gb');
  expect(sliceOf(whole)).toBeNull();
  expect(devicesInWords([whole, ...slices, ...older])).toBe('2 × NVIDIA H100, 2 × NVIDIA A100');
});
