import type { HelloRequest } from '@gjm/core/wire/worker-api.js';
import type { Database, Statement } from '../database.js';

const workerStatement: Statement = {
  name: 'hello-worker',
  text: `
INSERT INTO workers (id, instance_id, boot_id, name, version, engine_audit, lease_until)
VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 ms')
ON CONFLICT (instance_id) DO UPDATE SET boot_id = excluded.boot_id, name = excluded.name, version = excluded.version,
  engine_audit = excluded.engine_audit, draining = false, last_seen_at = clock_timestamp(), lease_until = excluded.lease_until
WHERE workers.boot_id = excluded.boot_id OR workers.lease_until < clock_timestamp() OR $8
RETURNING id`,
};

const devicesStatement: Statement = {
  name: 'hello-devices',
  text: `
WITH reported AS (
  SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, uid text, name text, kind text, engines jsonb, labels jsonb,
    "memoryBytes" bigint, "memoryFreeBytes" bigint, health text, "healthReason" text, slots int)
), gone AS (
  UPDATE devices SET present = false WHERE worker_id = $1 AND uid <> ALL (SELECT uid FROM reported)
), device AS (
  INSERT INTO devices (id, worker_id, uid, name, kind, engines, labels, memory_bytes, memory_free_bytes, health, health_reason)
  SELECT id, $1, uid, name, kind, engines, labels, "memoryBytes", "memoryFreeBytes", health, "healthReason" FROM reported
  ON CONFLICT (worker_id, uid) DO UPDATE SET name = excluded.name, kind = excluded.kind, engines = excluded.engines,
    labels = excluded.labels, memory_bytes = excluded.memory_bytes, memory_free_bytes = excluded.memory_free_bytes,
    health = excluded.health, health_reason = excluded.health_reason, present = true
  RETURNING id, uid
), slot AS (
  INSERT INTO slots (device_id, index)
  SELECT device.id, index FROM device JOIN reported USING (uid), generate_series(0, reported.slots - 1) AS index
  ON CONFLICT (device_id, index) DO UPDATE SET held_for = NULL, held_since = NULL, silent_since = NULL, probe_id = NULL
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

/**
 * Makes or renews the worker's row. Null when another process with the same data folder holds a living lease: the same folder twice.
 * `replace` takes over all the same: that process has said goodbye.
 */
export async function storeWorker(
  database: Database,
  id: string,
  hello: HelloRequest,
  leaseMs: number,
  replace: boolean,
): Promise<string | null> {
  const [row] = await database.run<{ id: string }>(workerStatement, [
    id,
    hello.instanceId,
    hello.bootId,
    hello.name,
    hello.version,
    JSON.stringify(hello.engineAudit),
    leaseMs,
    replace,
  ]);
  return row?.id ?? null;
}

/** Makes its devices and slots what it reports. Every hold and silence of its slots ends: a hello comes after it has swept. */
export function storeDevices(
  database: Database,
  workerId: string,
  devices: (HelloRequest['devices'][number] & { id: string })[],
): Promise<HelloSlot[]> {
  return database.run<HelloSlot & Record<string, unknown>>(devicesStatement, [workerId, JSON.stringify(devices)]);
}

/** Attempts of this worker's earlier life: their processes are gone, so they are lost. */
export async function leftoverAttempts(database: Database, workerId: string): Promise<string[]> {
  return (await database.run<{ id: string }>(leftoversStatement, [workerId])).map((row) => row.id);
}
