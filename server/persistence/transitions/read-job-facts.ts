import type { JobFacts } from '@gjm/core/job/transition.js';
import type { AttemptState, JobStatus } from '@gjm/core/job/status.js';
import type { Database, Statement } from '../database.js';

/** A living attempt with what its worker's calls are checked against. */
export interface LivingAttempt {
  id: string;
  number: number;
  state: AttemptState;
  engine: string;
  tier: string | null;
  workerId: string;
  /** SHA-256 of the token, hex; null until it is claimed. */
  tokenHash: string | null;
  /** The last report number that is stored. */
  reportedNumber: number;
}

/** A job with its living attempt: what a decision about it needs. */
export interface LoadedJob extends JobFacts {
  kind: string;
  params: Record<string, unknown>;
  timeoutSeconds: number;
  deviceCount: number;
  logBytes: number;
  logCut: boolean;
  attempt: LivingAttempt | null;
}

const columns = `
  j.id, j.owner_id, j.status, j.cancel_requested_at IS NOT NULL AS cancel_requested, j.counted_failures, j.max_attempts, j.kind, j.params,
  j.timeout_seconds, j.log_bytes, j.log_cut, a.id AS attempt_id, a.number, a.state, a.engine, a.tier, a.worker_id, a.token_hash,
  a.reported_number, j.device_count`;

const byJob: Statement = {
  name: 'read-job-facts',
  text: `SELECT ${columns} FROM jobs j LEFT JOIN attempts a ON a.id = j.current_attempt_id WHERE j.id = $1`,
};
const byAttempt: Statement = {
  name: 'read-job-facts-by-attempt',
  text: `SELECT ${columns} FROM attempts a JOIN jobs j ON j.id = a.job_id AND j.current_attempt_id = a.id WHERE a.id = $1`,
};

interface Row {
  id: string;
  owner_id: string;
  status: JobStatus;
  cancel_requested: boolean;
  counted_failures: number;
  max_attempts: number;
  kind: string;
  params: Record<string, unknown>;
  timeout_seconds: number;
  log_bytes: string;
  log_cut: boolean;
  attempt_id: string | null;
  number: number;
  state: AttemptState;
  engine: string;
  tier: string | null;
  worker_id: string;
  token_hash: string | null;
  reported_number: number;
  device_count: number;
}

/** The job and its living attempt, or null when there is no such job. */
export async function readJobFacts(database: Database, jobId: string): Promise<LoadedJob | null> {
  const [row] = await database.run<Row>(byJob, [jobId]);
  return row ? toLoadedJob(row) : null;
}

/** The job whose living attempt this is, or null when the attempt is unknown or has ended. */
export async function readJobFactsByAttempt(
  database: Database,
  attemptId: string,
): Promise<LoadedJob | null> {
  const [row] = await database.run<Row>(byAttempt, [attemptId]);
  return row ? toLoadedJob(row) : null;
}

const toLoadedJob = (row: Row): LoadedJob => ({
  id: row.id,
  ownerId: row.owner_id,
  status: row.status,
  cancelRequested: row.cancel_requested,
  countedFailures: row.counted_failures,
  maxAttempts: row.max_attempts,
  kind: row.kind,
  params: row.params,
  timeoutSeconds: row.timeout_seconds,
  deviceCount: row.device_count,
  logBytes: Number(row.log_bytes),
  logCut: row.log_cut,
  attempt: row.attempt_id === null ? null : toLivingAttempt(row, row.attempt_id),
});

const toLivingAttempt = (row: Row, id: string): LivingAttempt => ({
  id,
  number: row.number,
  state: row.state,
  engine: row.engine,
  tier: row.tier,
  workerId: row.worker_id,
  tokenHash: row.token_hash,
  reportedNumber: row.reported_number,
});
