import { In, type DataSource } from 'typeorm';
import type { DeviceRecord, WorkerRecord } from '../application/records.js';
import { DeviceEntity, SlotEntity, WorkerEntity } from './fleet.entity.js';

/** Workers that have not been heard of for this long are no longer listed, in ms. */
const forgetAfterMs = 24 * 3_600_000;

/** Reads of workers and devices. */
export class FleetRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Every worker seen in the last day, the ones named in any case. */
  async workers(ids?: readonly string[]): Promise<WorkerRecord[]> {
    const query = this.dataSource
      .getRepository(WorkerEntity)
      .createQueryBuilder('worker')
      .addSelect('worker.lease_until > clock_timestamp()', 'online')
      .orderBy('worker.id');
    if (ids) query.where('worker.id = ANY (:ids)', { ids });
    else
      query.where(`worker.last_seen_at > clock_timestamp() - :forgetAfterMs * interval '1 ms'`, {
        forgetAfterMs,
      });
    const { entities, raw } = await query.getRawAndEntities<{ online: boolean }>();
    return entities.map((entity, index) => ({ ...entity, online: raw[index]!.online }));
  }

  /** Devices by id, or all present ones of listed workers, with the health that their slots and their worker's lease imply. */
  async devices(ids?: readonly string[]): Promise<DeviceRecord[]> {
    const workers = await this.workers();
    const where = ids ? { id: In(ids) } : { present: true, workerId: In(workers.map((worker) => worker.id)) };
    const devices = await this.dataSource.getRepository(DeviceEntity).find({ where, order: { id: 'ASC' } });
    const slots = await this.dataSource
      .getRepository(SlotEntity)
      .findBy({ deviceId: In(devices.map((device) => device.id)) });
    return devices.map((device) => ({
      ...device,
      ...shownHealth(
        device,
        slots.filter((slot) => slot.deviceId === device.id),
        workers.find((worker) => worker.id === device.workerId),
      ),
    }));
  }
}

type Health = Pick<DeviceRecord, 'health' | 'healthReason'>;

/** The worker reports a device's own health; what only the server knows goes over it. */
function shownHealth(device: Health, slots: SlotEntity[], worker: WorkerRecord | undefined): Health {
  if (!worker?.online) return { health: 'UNKNOWN', healthReason: 'Its worker is offline.' };
  if (device.health !== 'OK') return device;
  if (worker.draining)
    return { health: 'DRAINING', healthReason: 'Its worker is stopping and takes nothing new.' };
  if (slots.length > 0 && slots.every((slot) => slot.heldFor !== null))
    return {
      health: 'UNKNOWN',
      healthReason: 'A lost attempt held it; its worker has not yet said that it is clean.',
    };
  if (slots.length > 0 && slots.every((slot) => slot.silentSince !== null || slot.heldFor !== null))
    return { health: 'NOT_ANSWERING', healthReason: 'Its worker did not pick up a job in time.' };
  return { health: 'OK', healthReason: null };
}
