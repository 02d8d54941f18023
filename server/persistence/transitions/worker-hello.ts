import type { HelloRequest } from '@gjm/core/wire/worker-api.js';
import type { Database, Statement } from '../database.js';

/** A new process takes the row over: the lock in its data folder, not the server, keeps two of them apart. */
const workerStatement: Statement = {
  name: 'hello-worker',
  text: `
WITH earlier AS (SELECT boot_id FROM workers WHERE instance_id = $2 FOR UPDATE)
INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 ms')
ON CONFLICT (instance_id) DO UPDATE SET boot_id = excluded.boot_id, name = excluded.name, version = excluded.version,
  engine_audit = excluded.engine_audit, draining = false, last_seen_at = clock_timestamp(), lease_until = excluded.lease_until
RETURNING id AS "workerId", (SELECT boot_id FROM earlier) IS DISTINCT FROM boot_id AS "isNewBoot"`,
};

const devicesStatement: Statement = {
  name: 'hello-devices',
  text: `
WITH reported AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, uid text, name text, kind text, engines jsonb, labels jsonb,
    "memoryBytes" bigint, "memoryFreeBytes" bigint, health text, "healthReason" text, slots int,
    runs jsonb, "engineAudit" jsonb, telemetry jsonb)
), gone AS (
  UPDATE devices SET present = false WHERE worker_id = $1 AND uid <> ALL (SELECT uid FROM reported)
), device AS (
  INSERT INTO devices (id, worker_id, uid, name, kind, engines, labels, memory_bytes, memory_free_bytes, health, health_reason,
    runs, engine_audit, telemetry)
  SELECT id, $1, uid, name, kind, engines, labels, "memoryBytes", "memoryFreeBytes", health, "healthReason",
    nullif(runs, 'null'), "engineAudit", nullif(telemetry, 'null') FROM reported
  ON CONFLICT (worker_id, uid) DO UPDATE SET name = excluded.name, kind = excluded.kind, engines = excluded.engines,
    labels = excluded.labels, memory_bytes = excluded.memory_bytes, memory_free_bytes = excluded.memory_free_bytes,
    health = excluded.health, health_reason = excluded.health_reason, present = true, runs = excluded.runs,
    engine_audit = excluded.engine_audit, telemetry = excluded.telemetry
  RETURNING id, uid
), slot AS (
  INSERT INTO slots (device_id, index)
  SELECT device.id, index FROM device JOIN reported USING (uid), generate_series(0, reported.slots - 1) AS index
  ON CONFLICT (device_id, index) DO UPDATE SET
    held_for = CASE WHEN $3 THEN NULL ELSE slots.held_for END, silent_since = NULL, probe_id = NULL
  RETURNING device_id, index
), surplus AS (
  DELETE FROM slots USING device JOIN reported USING (uid)
  WHERE slots.device_id = device.id AND slots.index >= reported.slots AND slots.attempt_id IS NULL
)
SELECT device.id AS "deviceId", device.uid, slot.index FROM slot JOIN device ON device.id = slot.device_id ORDER BY 1, 3`,
};

const leftoversStatement: Statement = {
  name: 'hello-leftovers',
  text: `SELECT id FROM attempts WHERE worker_id = $1 AND state = 'RUNNING' ORDER BY id`,
};

export interface HelloSlot {
  deviceId: string;
  uid: string;
  index: number;
}

/** Makes or renews the worker's row. `isNewBoot`: another process than the one the row knew, if it knew one. */
export async function storeWorker(
  database: Database,
  id: string,
  hello: HelloRequest,
  leaseMs: number,
): Promise<{ workerId: string; isNewBoot: boolean }> {
  const { instanceId, bootId, name, version, engineAudit } = hello;
  const values = [id, instanceId, bootId, name, version, JSON.stringify(engineAudit), leaseMs];
  const [row] = await database.run<{ workerId: string; isNewBoot: boolean }>(workerStatement, values);
  return row!;
}

/** Makes its devices and slots what it reports. With a new boot every hold of its slots ends: a hello comes after it has swept. */
export function storeDevices(
  database: Database,
  workerId: string,
  devices: (HelloRequest['devices'][number] & { id: string })[],
  isNewBoot: boolean,
): Promise<HelloSlot[]> {
  return database.run<HelloSlot & Record<string, unknown>>(devicesStatement, [
    workerId,
    JSON.stringify(devices),
    isNewBoot,
  ]);
}

/** Attempts of this worker's earlier life: their processes are gone, so they are lost. */
export async function leftoverAttempts(database: Database, workerId: string): Promise<string[]> {
  return (await database.run<{ id: string }>(leftoversStatement, [workerId])).map((row) => row.id);
}
