import { waitCodes } from '@gjm/core/schedule/constraints.js';
import { countedJobs } from '../application/waiting.js';
import type { Telemetry } from '@gjm/core/wire/worker-api.js';
import type { Registry } from 'prom-client';
import type { SlotAddress } from '../application/ports.js';
import { readFleetCounts, type FleetCounts } from '../persistence/transitions/read-fleet-counts.js';
import { cachedRead } from './cached-read.js';
import type { MetricSources } from './metrics.js';
import { addGauge, listed } from './registry.js';

const deviceHealths = ['OK', 'BUSY_ELSEWHERE', 'DIRTY', 'UNKNOWN', 'LOST', 'DRAINING', 'NOT_ANSWERING'];

/** What Postgres and Redis hold, read when somebody scrapes: one statement and one round trip a second at most, each within 2 s. */
export function addStoreMetrics(registry: Registry, { services, queues }: MetricSources): void {
  /** The slots of the last good look: queues can be counted while Postgres is away. */
  let places: SlotAddress[] = [];
  const fleet = cachedRead(async () => {
    const counts = await readFleetCounts(services.database);
    places = counts.places;
    return counts;
  });
  const entries = cachedRead(() => queues.entries(places));
  /** Queues are counted after the slots are known. */
  const readEntries = async () => (await fleet(), entries());
  addGauge(registry, {
    name: 'gjm_up',
    help: '1 when this part answered within 2 s, else 0.',
    label: 'part',
    read: async () => {
      const [postgres, redis] = await Promise.all([fleet(), readEntries()]);
      return { postgres: postgres ? 1 : 0, redis: redis ? 1 : 0 };
    },
  });
  addGauge(registry, {
    name: 'gjm_queue_entries',
    help: 'Entries of the slot queues in Redis, by structure; all are 0 when nothing is on its way.',
    label: 'structure',
    read: readEntries,
  });
  addFleetGauges(registry, fleet);
  addDeviceGauges(registry, fleet);
  const reasons = cachedRead(() => services.waiting.countReasons());
  addGauge(registry, {
    name: 'gjm_waiting_jobs',
    help: `Queued jobs by what they wait for, of the first ${countedJobs} in line; one counts under each of its reasons.`,
    label: 'reason',
    read: async () => {
      const counts = await reasons();
      return counts && listed(waitCodes, counts);
    },
  });
}

/** What drivers say, under each device's id: `devices` in the API tells its name and machine. */
function addDeviceGauges(registry: Registry, fleet: () => Promise<FleetCounts | null>): void {
  const add = (name: string, help: string, field: keyof Telemetry) =>
    addGauge(registry, {
      name,
      help,
      label: 'device',
      read: async () => {
        const measured = Object.entries((await fleet())?.telemetry ?? {});
        return Object.fromEntries(
          measured.flatMap(([id, { [field]: value }]) => (value === null ? [] : [[id, value]])),
        );
      },
    });
  add('gjm_device_utilisation_ratio', 'Share of the last moments in which a device computed.', 'utilisation');
  add('gjm_device_memory_used_bytes', 'Memory in use on a device, by whomever.', 'memoryUsedBytes');
  add('gjm_device_temperature_celsius', 'Temperature of a device.', 'temperatureCelsius');
  add('gjm_device_power_watts', 'Power that a device draws.', 'powerWatts');
}

function addFleetGauges(registry: Registry, fleet: () => Promise<FleetCounts | null>): void {
  const add = (
    name: string,
    help: string,
    label: string,
    names: readonly string[],
    part: (counts: FleetCounts) => Record<string, number>,
  ) =>
    addGauge(registry, {
      name,
      help,
      label,
      read: async () => {
        const counts = await fleet();
        return counts && listed(names, part(counts));
      },
    });
  add(
    'gjm_workers',
    'Workers seen in the last day.',
    'state',
    ['online', 'draining', 'offline'],
    (it) => it.workers,
  );
  add('gjm_devices', 'Devices of those workers, by health.', 'health', deviceHealths, (it) => it.devices);
  add(
    'gjm_slots',
    'Slots of those devices: free; taken by an attempt; held for a lost attempt until swept; silent.',
    'state',
    ['free', 'taken', 'held', 'silent'],
    (it) => it.slots,
  );
  add(
    'gjm_attempts',
    'Living attempts: dispatched, or running in a runner process.',
    'state',
    ['dispatched', 'running'],
    (it) => it.attempts,
  );
  add(
    'gjm_oldest_job_age_seconds',
    'Age of the oldest job that has not ended, since its submit; 0 when there is none.',
    'status',
    ['queued', 'running'],
    (it) => it.oldestSeconds,
  );
  add(
    'gjm_jobs',
    'Jobs that have not ended; queued ones are counted up to 100,000.',
    'status',
    ['queued', 'running'],
    (it) => it.jobs,
  );
}
