import type { DeviceState, QueuedJob, Snapshot } from '@gjm/core/schedule/snapshot.js';
import type { Plan } from '@gjm/core/plan/plan.js';
import type { DeviceSelector } from '@gjm/core/job/spec.js';
import type { Database, Statement } from '../database.js';

/**
 * Devices of every worker that was seen in the last hour, with their slots and who holds them. Free memory is what the worker last saw, and
 * never more than what the plans of living attempts leave.
 */
const readDevices: Statement = {
  name: 'read-fleet',
  text: `
SELECT d.id, d.uid, d.name, d.kind, d.engines, d.labels, d.memory_bytes::float8 AS memory_bytes,
  least(d.memory_free_bytes, CASE WHEN d.memory_bytes IS NOT NULL THEN greatest(0, d.memory_bytes - leased.bytes) END)::float8 AS memory_free_bytes,
  (SELECT max(figure::float8) FROM jsonb_each_text(d.benchmark) AS measured (name, figure) WHERE name LIKE 'matmul\\_gflops\\_%') AS speed,
  d.health, d.health_reason, w.id AS worker_id, w.name AS worker_name, d.runs,
  w.draining OR (d.drained_at IS NOT NULL AND coalesce(d.drained_until > clock_timestamp(), true))
    OR (w.drained_at IS NOT NULL AND coalesce(w.drained_until > clock_timestamp(), true)) AS draining, w.lease_until > clock_timestamp() AS online,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('index', s.index, 'attempt', CASE WHEN s.attempt_id IS NULL THEN NULL ELSE
      jsonb_build_object('id', s.attempt_id, 'ownerName', coalesce(u.name, 'another user'),
        'ranSeconds', extract(epoch FROM clock_timestamp() - a.started_at),
        'etaSeconds', CASE WHEN a.started_at IS NOT NULL THEN j.progress -> 'etaSeconds' END) END,
      'held', s.held_for IS NOT NULL, 'silent', s.silent_since IS NOT NULL) ORDER BY s.index)
    FROM slots s LEFT JOIN attempts a ON a.id = s.attempt_id LEFT JOIN jobs j ON j.id = a.job_id LEFT JOIN users u ON u.id = j.owner_id
    WHERE s.device_id = d.id), '[]') AS slots
FROM devices d JOIN workers w ON w.id = d.worker_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(coalesce(n.peak_bytes, (j.plan ->> 'memoryBytes')::bigint)), 0) AS bytes
    FROM slots s JOIN attempts a ON a.id = s.attempt_id JOIN jobs j ON j.id = a.job_id
      LEFT JOIN learned_needs n ON n.kind = j.kind AND n.tier = coalesce(a.tier, '') AND n.engine = a.engine
    WHERE s.device_id = d.id) AS leased
WHERE d.present AND w.last_seen_at > clock_timestamp() - interval '1 hour'
ORDER BY d.id`,
};

/** The head of the line. Jobs in their back-off are left out unless the whole line is wanted. */
const readJobs: Statement = {
  name: 'read-line',
  text: `
SELECT id, owner_id, kind, priority, (extract(epoch FROM created_at) * 1000)::float8 AS created_at,
  (extract(epoch FROM not_before) * 1000)::float8 AS not_before, attempt_count, plan, device_selector, device_count, seen.bytes AS seen_bytes
FROM jobs LEFT JOIN (
  SELECT kind AS seen_kind, tier AS seen_tier, jsonb_object_agg(engine, peak_bytes) AS bytes FROM learned_needs GROUP BY kind, tier
) AS seen ON seen_kind = kind AND seen_tier = coalesce(plan ->> 'tier', '')
WHERE status = 'QUEUED' AND current_attempt_id IS NULL AND ($2 OR not_before IS NULL OR not_before <= clock_timestamp())
  AND ($3::int IS NULL OR priority < $3 OR (priority = $3 AND (created_at, id) > ($4::timestamptz, $5)))
ORDER BY priority DESC, created_at, id
LIMIT $1`,
};

interface DeviceRow {
  id: string;
  uid: string;
  name: string;
  kind: DeviceState['kind'];
  engines: string[];
  runs: string[] | null;
  labels: Record<string, string>;
  memory_bytes: number | null;
  memory_free_bytes: number | null;
  speed: number | null;
  health: string;
  health_reason: string | null;
  worker_id: string;
  worker_name: string;
  draining: boolean;
  online: boolean;
  at: number;
  slots: DeviceState['slots'];
}

interface JobRow {
  id: string;
  owner_id: string;
  kind: string;
  priority: number;
  created_at: number;
  not_before: number | null;
  attempt_count: number;
  plan: Plan;
  device_selector: DeviceSelector;
  device_count: number;
  seen_bytes: Record<string, number> | null;
}

/**
 * The same for a tick, in one round trip with the lock that it needs; null when another tick holds it. The lock is the transaction's own: a
 * session lock would outlive a dead host, or vanish with a pooled connection.
 */
const lockAndReadDevices: Statement = {
  name: 'lock-and-read-fleet',
  text: `
WITH lock AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtext('gjm.tick')) AS granted)
SELECT lock.granted, fleet.* FROM lock LEFT JOIN (${readDevices.text}) AS fleet ON lock.granted`,
};

export async function lockAndReadFleet(
  database: Database,
): Promise<{ at: number; devices: DeviceState[] } | null> {
  const rows = await database.run<DeviceRow & { granted: boolean }>(lockAndReadDevices, []);
  if (!rows[0]?.granted) return null;
  return { at: rows[0].at, devices: rows.filter((row) => row.id !== null).map(toDevice) };
}

/** Devices and their slots as they are now, in id order. */
async function readFleet(database: Database): Promise<{ at: number; devices: DeviceState[] }> {
  const rows = await database.run<DeviceRow>(readDevices, []);
  return { at: rows[0]?.at ?? 0, devices: rows.map(toDevice) };
}

/** How many attempts the fleet could take right now. */
export const freeSlotsOf = (devices: DeviceState[]): number =>
  devices
    .filter((device) => device.online && !device.draining && device.health === 'OK')
    .flatMap((device) => device.slots)
    .filter((slot) => !slot.attempt && !slot.held && !slot.silent).length;

/** At most `limit` jobs of the line, from its head or from behind `after`; those in back-off only when `all`. */
export async function readLine(
  database: Database,
  limit: number,
  all: boolean,
  after: QueuedJob | null = null,
): Promise<QueuedJob[]> {
  const place = after && [after.priority, new Date(after.createdAt), after.id];
  return (await database.run<JobRow>(readJobs, [limit, all, ...(place ?? [null, null, null])])).map(
    toQueuedJob,
  );
}

/** Most jobs a full pass looks at; the next one goes on behind them, so that jobs nobody can take hide no others. */
export const fullLine = 10_000;

/** The whole picture, for explanations. */
export async function readSnapshot(database: Database): Promise<Snapshot> {
  const [fleet, jobs] = await Promise.all([readFleet(database), readLine(database, fullLine, true)]);
  return { at: fleet.at, devices: fleet.devices, jobs };
}

const toDevice = (row: DeviceRow): DeviceState => ({
  id: row.id,
  uid: row.uid,
  name: row.name,
  kind: row.kind,
  workerId: row.worker_id,
  workerName: row.worker_name,
  online: row.online,
  draining: row.draining,
  engines: row.engines,
  runs: row.runs,
  labels: row.labels,
  memoryBytes: row.memory_bytes,
  memoryFreeBytes: row.memory_free_bytes,
  speed: row.speed,
  health: row.health,
  healthReason: row.health_reason,
  slots: row.slots,
});

const toQueuedJob = (row: JobRow): QueuedJob => ({
  id: row.id,
  ownerId: row.owner_id,
  kind: row.kind,
  priority: row.priority,
  createdAt: row.created_at,
  notBefore: row.not_before,
  nextAttempt: row.attempt_count + 1,
  engines: row.plan.engines,
  tier: row.plan.tier,
  memoryBytes: row.plan.memoryBytes,
  seenBytes: row.seen_bytes ?? {},
  devices: row.device_count,
  selector: row.device_selector,
});
