import { numberOf } from '@gjm/client/big-int.js';
import type { Fleet } from '../../lib/fleet.js';
import { healthOf } from '../../lib/health.js';

export interface FleetFacts {
  devices: number;
  machines: number;
  open: number;
  held: number;
  /** How those that are held back stand, each word once. */
  heldAs: string[];
  /** Of open devices that say how much they have, in bytes; null when none does. */
  freeBytes: number | null;
}

/** The fleet in five numbers. */
export function fleetFacts({ devices, workers }: Pick<Fleet, 'devices' | 'workers'>): FleetFacts {
  const open = devices.filter((device) => healthOf(device).shape === 'ok');
  const held = devices.map(healthOf).filter(({ shape }) => shape !== 'ok');
  const free = open.flatMap(({ memoryFreeBytes }) =>
    memoryFreeBytes === null ? [] : [numberOf(memoryFreeBytes)],
  );
  return {
    devices: devices.length,
    machines: workers.length,
    open: open.length,
    held: held.length,
    heldAs: [...new Set(held.map(({ word }) => word))],
    freeBytes: free.length > 0 ? free.reduce((a, b) => a + b) : null,
  };
}
