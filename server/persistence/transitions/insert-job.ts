import { parseId } from '@gjm/core/ids.js';
import type { NewEvent } from '@gjm/core/wire/events.js';
import type { JobSpec } from '@gjm/core/job/spec.js';
import type { Plan } from '@gjm/core/plan/plan.js';
import type { Database, Statement } from '../database.js';

/** One row, its inputs, its first events and its plan's decision, or nothing when the request id is taken or an input is gone. */
const statement: Statement = {
  name: 'insert-job',
  text: `
WITH maker AS MATERIALIZED (
  SELECT id FROM jobs WHERE id IN (SELECT job_id FROM artifacts WHERE id = ANY ($18)) FOR KEY SHARE
), source AS MATERIALIZED (
  SELECT a.id FROM maker JOIN artifacts a ON a.job_id = maker.id WHERE a.id = ANY ($18) FOR KEY SHARE OF a
), job AS (
  INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, requested_tier, max_attempts, timeout_seconds, device_selector,
    client_request_id, request_hash, plan, status, tier, last_sequence, trace_id,
    device_count)
  SELECT $1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::smallint, $8, $9::smallint, $10::integer, $11::jsonb, $12, $13, $14::jsonb, 'QUEUED', $15,
    jsonb_array_length($17::jsonb), $19, $20::smallint
  WHERE (SELECT count(*) FROM source) = cardinality($18::text[])
  ON CONFLICT (owner_id, client_request_id) WHERE client_request_id IS NOT NULL DO NOTHING
  RETURNING id, created_at
), input AS (
  INSERT INTO job_inputs (job_id, field, file_id, bytes, sha256, storage_key)
  SELECT job.id, field, "fileId", bytes, sha256, "storageKey"
  FROM job, jsonb_to_recordset($16::jsonb) AS f(field text, "fileId" text, bytes bigint, sha256 text, "storageKey" text)
  RETURNING file_id
), used AS (
  UPDATE uploads SET last_used_at = clock_timestamp() FROM input WHERE uploads.id = input.file_id
), event AS (
  SELECT job.id AS job_id, ordinality AS sequence, value ->> 'type' AS type, value -> 'data' AS data
  FROM job, jsonb_array_elements($17::jsonb) WITH ORDINALITY
), stored AS (
  INSERT INTO job_events (job_id, sequence, type, data) SELECT job_id, sequence, type, data FROM event
), decided AS (
  INSERT INTO decisions (id, job_id, stage, summary, policy_version, data)
  SELECT data ->> 'id', job_id, data ->> 'stage', data ->> 'summary', data ->> 'policyVersion', data -> 'data'
  FROM event WHERE type = 'decision'
)
SELECT created_at FROM job`,
};

/** A file a new job uses. */
export interface NewJobInput {
  field: string;
  fileId: string;
  bytes: number;
  sha256: string;
  storageKey: string;
}

export interface NewJob {
  id: string;
  ownerId: string;
  spec: JobSpec;
  name: string;
  timeoutSeconds: number;
  requestHash: string | null;
  /** W3C trace id of the request, 32 hex digits. */
  traceId: string;
  plan: Plan;
  inputs: NewJobInput[];
  events: NewEvent[];
}

/**
 * When the job was stored. Null, and nothing was stored, when its owner used that client request id before, or when an artifact it uses was
 * removed meanwhile: its inputs and the jobs that made them are locked, so that a removal sees this job or this one sees the removal.
 */
export async function insertJob(database: Database, job: NewJob): Promise<Date | null> {
  const { spec } = job;
  const [row] = await database.run<{ created_at: Date }>(statement, [
    job.id,
    job.ownerId,
    spec.kind,
    job.name,
    JSON.stringify(spec.params),
    JSON.stringify(spec.labels),
    spec.priority,
    spec.tier ?? null,
    spec.maxAttempts,
    job.timeoutSeconds,
    JSON.stringify(spec.deviceSelector),
    spec.clientRequestId ?? null,
    job.requestHash,
    JSON.stringify(job.plan),
    job.plan.tier,
    JSON.stringify(job.inputs),
    JSON.stringify(job.events),
    artifactsOf(job),
    job.traceId,
    spec.devices,
  ]);
  return row?.created_at ?? null;
}

/** Each once: two fields may name the same file. */
const artifactsOf = ({ inputs }: NewJob): string[] => [
  ...new Set(inputs.map(({ fileId }) => fileId).filter((id) => parseId('artifact', id))),
];
