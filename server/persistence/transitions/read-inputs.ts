import type { Database, Statement } from '../database.js';

const ofJob: Statement = {
  name: 'read-inputs',
  text: `SELECT field, file_id AS "fileId", bytes::float8 AS bytes, sha256 FROM job_inputs WHERE job_id = $1 ORDER BY field`,
};

const forAttempt: Statement = {
  name: 'read-input-key',
  text: `
SELECT file.storage_key AS "storageKey", file.bytes::float8 AS bytes
FROM attempts a CROSS JOIN LATERAL (
  SELECT storage_key, bytes FROM job_inputs WHERE job_id = a.job_id AND file_id = $3
  UNION ALL SELECT storage_key, bytes FROM artifacts WHERE job_id = a.job_id AND role = 'CHECKPOINT' AND id = $3
) AS file
WHERE a.id = $1 AND a.token_hash = $2 AND a.state = 'RUNNING' LIMIT 1`,
};

export interface InputRecord {
  field: string;
  fileId: string;
  bytes: number;
  sha256: string;
}

/** The files a job uses. */
export function readInputs(database: Database, jobId: string): Promise<InputRecord[]> {
  return database.run<InputRecord & Record<string, unknown>>(ofJob, [jobId]);
}

/** Where the bytes of an input or a checkpoint of its job lie, for the worker that holds the attempt; null for everybody else. */
export async function readInputKey(
  database: Database,
  attemptId: string,
  tokenHash: string,
  fileId: string,
): Promise<{ storageKey: string; bytes: number } | null> {
  const rows = await database.run<{ storageKey: string; bytes: number }>(forAttempt, [
    attemptId,
    tokenHash,
    fileId,
  ]);
  return rows[0] ?? null;
}
