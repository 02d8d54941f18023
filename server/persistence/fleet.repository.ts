import type { DataSource } from 'typeorm';
import type { DeviceRecord, SlotRecord, WorkerRecord } from '../application/records.js';
import { DeviceEntity, WorkerEntity } from './fleet.entity.js';

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
      .addSelect(drained('worker'), 'drained')
      .orderBy('worker.id');
    if (ids) query.where('worker.id = ANY (:ids)', { ids });
    else
      query.where(`worker.last_seen_at > clock_timestamp() - :forgetAfterMs * interval '1 ms'`, {
        forgetAfterMs,
      });
    const { entities, raw } = await query.getRawAndEntities<{ online: boolean; drained: boolean }>();
    return entities.map((worker, index) => ({
      ...worker,
      drainedAt: raw[index]!.drained ? worker.drainedAt : null,
      online: raw[index]!.online,
    }));
  }

  /** Devices by id, or all present ones of listed workers, with the health that their slots and their worker's lease imply. One statement. */
  async devices(ids?: readonly string[]): Promise<DeviceRecord[]> {
    const allSlots = (are: string) =>
      `(SELECT bool_and(${are}) FROM slots WHERE slots.device_id = device.id)`;
    const query = this.dataSource
      .getRepository(DeviceEntity)
      .createQueryBuilder('device')
      .innerJoin(WorkerEntity, 'worker', 'worker.id = device.worker_id')
      .addSelect('worker.lease_until > clock_timestamp()', 'online')
      .addSelect('worker.draining', 'draining')
      .addSelect(drained('device'), 'deviceDrained')
      .addSelect(drained('worker'), 'workerDrained')
      .addSelect('worker.drain_reason', 'workerDrainReason')
      .addSelect(allSlots('held_for IS NOT NULL'), 'held')
      .addSelect(allSlots('held_for IS NOT NULL OR silent_since IS NOT NULL'), 'closed')
      .addSelect(slotsOfDevice, 'slots')
      .orderBy('device.id');
    if (ids) query.where('device.id = ANY (:ids)', { ids });
    else
      query.where(
        `device.present AND worker.last_seen_at > clock_timestamp() - :forgetAfterMs * interval '1 ms'`,
        { forgetAfterMs },
      );
    const { entities, raw } = await query.getRawAndEntities<ServerView>();
    return entities.map((device, index) => ({
      ...device,
      drainedAt: raw[index]!.deviceDrained ? device.drainedAt : null,
      ...shownHealth(device, raw[index]!),
      slots: raw[index]!.slots.map(toSlot),
    }));
  }
}

type Health = Pick<DeviceRecord, 'health' | 'healthReason' | 'drainReason'>;

/** Whether an admin has drained it, and the time for it is not over. */
const drained = (of: 'device' | 'worker'): string =>
  `${of}.drained_at IS NOT NULL AND coalesce(${of}.drained_until > clock_timestamp(), true)`;

/** What only the server knows of a device. `held` and `closed` are about all its slots, null when it has none. */
interface ServerView {
  online: boolean;
  draining: boolean;
  deviceDrained: boolean;
  workerDrained: boolean;
  workerDrainReason: string | null;
  held: boolean | null;
  closed: boolean | null;
  slots: SlotRow[];
}

interface SlotRow {
  index: number;
  holderName: string | null;
  /** ms since the epoch. */
  busySince: number | null;
  etaSeconds: number | null;
}

/** Progress counts once its attempt runs: before, it is an earlier attempt's. */
const slotsOfDevice = `(SELECT coalesce(jsonb_agg(jsonb_build_object(
  'index', slot.index,
  'holderName', CASE WHEN slot.attempt_id IS NOT NULL THEN coalesce(holder.name, 'another user') END,
  'busySince', extract(epoch FROM coalesce(taken.started_at, taken.placed_at)) * 1000,
  'etaSeconds', CASE WHEN taken.started_at IS NOT NULL THEN held.progress -> 'etaSeconds' END) ORDER BY slot.index), '[]')
  FROM slots slot LEFT JOIN attempts taken ON taken.id = slot.attempt_id
    LEFT JOIN jobs held ON held.id = taken.job_id LEFT JOIN users holder ON holder.id = held.owner_id
  WHERE slot.device_id = device.id)`;

const toSlot = ({ index, holderName, busySince, etaSeconds }: SlotRow): SlotRecord => ({
  index,
  holderName,
  busySince: busySince === null ? null : new Date(busySince),
  etaSeconds: etaSeconds === null ? null : Math.ceil(etaSeconds),
});

/** The worker reports a device's own health; what only the server knows goes over it. */
function shownHealth(
  device: Health,
  view: Omit<ServerView, 'slots'>,
): Pick<Health, 'health' | 'healthReason'> {
  const { online, draining, held, closed } = view;
  if (!online) return { health: 'UNKNOWN', healthReason: 'Its worker is offline.' };
  if (device.health !== 'OK') return { health: device.health, healthReason: device.healthReason };
  if (draining) return { health: 'DRAINING', healthReason: 'Its worker is stopping and takes nothing new.' };
  if (view.deviceDrained || view.workerDrained) {
    const what = view.deviceDrained ? 'It' : 'Its worker';
    const reason = view.deviceDrained ? device.drainReason : view.workerDrainReason;
    return {
      health: 'DRAINING',
      healthReason: `${what} was drained by an ADMIN${reason ? `: ${reason}` : ' and takes nothing new'}.`,
    };
  }
  if (held)
    return {
      health: 'UNKNOWN',
      healthReason: 'A lost attempt held it; its worker has not yet said that it is clean.',
    };
  if (closed) return { health: 'NOT_ANSWERING', healthReason: 'Its worker did not pick up a job in time.' };
  // A healthy one may have a sentence too: what of it can not be seen from there.
  return { health: 'OK', healthReason: device.healthReason };
}
