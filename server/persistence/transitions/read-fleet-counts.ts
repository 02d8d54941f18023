import type { Telemetry } from '@gjm/core/wire/worker-api.js';
import type { Database, Statement } from '../database.js';

/** Counting waiting jobs stops here: the number is for a graph, and a line may be a million long. */
const countCap = 100_000;
/** Slots whose queues are looked at, at most. */
const slotCap = 1_000;

/** Everything the metrics tell of the database, in one statement on partial indexes and small tables. */
const statement: Statement = {
  name: 'read-fleet-counts',
  text: `
WITH seen AS MATERIALIZED (
  SELECT id, draining OR (drained_at IS NOT NULL AND coalesce(drained_until > clock_timestamp(), true)) AS draining,
    lease_until > clock_timestamp() AS online FROM workers
  WHERE last_seen_at > clock_timestamp() - interval '1 day'
), device AS MATERIALIZED (
  SELECT devices.id, CASE WHEN NOT seen.online THEN 'UNKNOWN' WHEN devices.health <> 'OK' THEN devices.health
    WHEN seen.draining OR (drained_at IS NOT NULL AND coalesce(drained_until > clock_timestamp(), true)) THEN 'DRAINING'
    WHEN slots.held THEN 'UNKNOWN' WHEN slots.closed THEN 'NOT_ANSWERING' ELSE 'OK' END AS health, CASE WHEN seen.online THEN telemetry END AS telemetry
  FROM devices JOIN seen ON seen.id = devices.worker_id CROSS JOIN LATERAL (
    SELECT bool_and(held_for IS NOT NULL) AS held, bool_and(held_for IS NOT NULL OR silent_since IS NOT NULL) AS closed
    FROM slots WHERE slots.device_id = devices.id) AS slots
  WHERE devices.present
), slot AS MATERIALIZED (
  SELECT slots.device_id, slots.index, CASE WHEN slots.held_for IS NOT NULL THEN 'held' WHEN slots.attempt_id IS NOT NULL THEN 'taken'
    WHEN slots.silent_since IS NOT NULL THEN 'silent' ELSE 'free' END AS state
  FROM slots JOIN device ON device.id = slots.device_id
), attempt AS MATERIALIZED (
  SELECT state, count(*) AS count FROM attempts WHERE state <> 'ENDED' GROUP BY state
)
SELECT
  (SELECT jsonb_object_agg(state, count) FROM (SELECT CASE WHEN NOT online THEN 'offline' WHEN draining THEN 'draining' ELSE 'online' END
    AS state, count(*) AS count FROM seen GROUP BY 1) AS workers) AS workers,
  (SELECT jsonb_object_agg(health, count) FROM (SELECT health, count(*) AS count FROM device GROUP BY 1) AS devices) AS devices,
  (SELECT jsonb_object_agg(id, telemetry) FROM (SELECT id, telemetry FROM device WHERE telemetry IS NOT NULL
    ORDER BY id LIMIT ${slotCap}) AS measured) AS telemetry,
  (SELECT jsonb_object_agg(state, count) FROM (SELECT state, count(*) AS count FROM slot GROUP BY 1) AS slots) AS slots,
  (SELECT jsonb_agg(jsonb_build_object('deviceId', device_id, 'index', index))
    FROM (SELECT device_id, index FROM slot ORDER BY 1, 2 LIMIT ${slotCap}) AS places) AS places,
  (SELECT jsonb_object_agg(lower(state), count) FROM attempt) AS attempts,
  (SELECT count(*) FROM (SELECT FROM jobs WHERE status = 'QUEUED' AND current_attempt_id IS NULL LIMIT ${countCap}) AS line)::int AS waiting,
  (SELECT count(*) FROM jobs WHERE status = 'RUNNING')::int AS running,
  (SELECT extract(epoch FROM clock_timestamp() - created_at)::int FROM jobs WHERE status IN ('QUEUED', 'RUNNING') AND status = 'QUEUED'
    ORDER BY created_at LIMIT 1) AS "oldestQueued",
  (SELECT extract(epoch FROM clock_timestamp() - min(jobs.created_at))::int FROM attempts JOIN jobs ON jobs.id = attempts.job_id
    WHERE attempts.state = 'RUNNING') AS "oldestRunning"`,
};

type Counts = Record<string, number>;

/** How many there are of what, by the database. Absent keys are 0. */
export interface FleetCounts {
  /** Workers seen in the last day: online, draining, offline. */
  workers: Counts;
  /** Present devices by health, as the API shows it. */
  devices: Counts;
  /** What the drivers of online devices said last, by device id. */
  telemetry: Record<string, Telemetry>;
  /** Slots of present devices: free, taken, held, silent. */
  slots: Counts;
  /** Where those slots are. */
  places: { deviceId: string; index: number }[];
  /** Living attempts: dispatched, running. */
  attempts: Counts;
  /** Seconds since the submit of the oldest job, by status: queued, running. */
  oldestSeconds: Counts;
  /** Jobs by status: queued (dispatched but unclaimed ones included), running. */
  jobs: Counts;
}

interface Row {
  workers: Counts | null;
  devices: Counts | null;
  telemetry: Record<string, Telemetry> | null;
  slots: Counts | null;
  places: FleetCounts['places'] | null;
  attempts: Counts | null;
  waiting: number;
  running: number;
  oldestQueued: number | null;
  oldestRunning: number | null;
}

export async function readFleetCounts(database: Database): Promise<FleetCounts> {
  const [row] = await database.run<Row & Record<string, unknown>>(statement, []);
  if (!row) throw new Error('A statement without FROM gave no row.');
  const attempts = row.attempts ?? {};
  return {
    workers: row.workers ?? {},
    devices: row.devices ?? {},
    telemetry: row.telemetry ?? {},
    slots: row.slots ?? {},
    places: row.places ?? [],
    attempts,
    oldestSeconds: { queued: row.oldestQueued ?? 0, running: row.oldestRunning ?? 0 },
    jobs: { queued: row.waiting + (attempts['dispatched'] ?? 0), running: row.running },
  };
}
