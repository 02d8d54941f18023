import DataLoader from 'dataloader';
import type { DeviceRecord, WorkerRecord } from '../../application/records.js';
import type { GraphqlContext } from '../context.js';

export interface DeviceLoaders {
  device: DataLoader<string, DeviceRecord | null>;
  worker: DataLoader<string, WorkerRecord | null>;
}

/** Batched reads of one operation: the number of statements does not depend on the number of rows. */
export function createDeviceLoaders({ services: { fleet } }: GraphqlContext): DeviceLoaders {
  return {
    device: new DataLoader(async (ids) => inOrder(ids, await fleet.devices(ids))),
    worker: new DataLoader(async (ids) => inOrder(ids, await fleet.workers(ids))),
  };
}

/** Rows in the order of the ids they were asked by, null where there is none. */
export function inOrder<Row extends { id: string }>(
  ids: readonly string[],
  rows: readonly Row[],
): (Row | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}
