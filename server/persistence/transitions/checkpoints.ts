import type { ArtifactFacts } from '@gjm/core/wire/events.js';
import type { Checkpoint } from '@gjm/core/wire/worker-api.js';
import type { Database, Statement, TransactionalDatabase } from '../database.js';
import { removeUnusedArtifacts } from './remove-unused-artifacts.js';

/** So many checkpoints of a job are kept, whichever attempts made them: when the newest can not be read, the one before it can. */
export const keptCheckpoints = 3;

const ofJob: Statement = {
  name: 'read-checkpoints',
  text: `
SELECT id AS "fileId", attempt_number AS attempt, bytes::float8 AS bytes, sha256 FROM artifacts
WHERE job_id = $1 AND role = 'CHECKPOINT' ORDER BY created_at DESC, id DESC LIMIT ${keptCheckpoints}`,
};

const ofAttempt: Statement = {
  name: 'read-reported-checkpoints',
  text: `
SELECT id, name, media_type AS "mediaType", bytes::float8 AS bytes, sha256, role, attempt_number AS attempt, created_at AS "createdAt"
FROM artifacts WHERE attempt_id = $1 AND role = 'CHECKPOINT' AND id = ANY ($2)`,
};

/** All but the newest ones. The job is locked first, as every change of it does. */
const older: Statement = {
  name: 'choose-checkpoints',
  text: `
WITH job AS MATERIALIZED (
  SELECT id FROM jobs WHERE id = $1 FOR KEY SHARE
)
SELECT a.id FROM artifacts a JOIN job ON a.job_id = job.id
WHERE a.role = 'CHECKPOINT' AND a.id NOT IN (
  SELECT id FROM artifacts WHERE job_id = $1 AND role = 'CHECKPOINT' ORDER BY created_at DESC, id DESC LIMIT ${keptCheckpoints})
FOR UPDATE OF a SKIP LOCKED`,
};

/** What a job's next attempt may go on from, newest first. */
export const readCheckpoints = (database: Database, jobId: string): Promise<Checkpoint[]> =>
  database.run<Checkpoint & Record<string, unknown>>(ofJob, [jobId]);

/** The checkpoints among `ids` that this attempt has stored, as watchers see them, by id. */
export async function readReportedCheckpoints(
  database: Database,
  attemptId: string,
  ids: readonly string[],
): Promise<Map<string, ArtifactFacts>> {
  type Row = Omit<ArtifactFacts, 'createdAt'> & { createdAt: Date };
  const rows = await database.run<Row & Record<string, unknown>>(ofAttempt, [attemptId, ids]);
  return new Map(rows.map((row) => [row.id, { ...row, createdAt: row.createdAt.toISOString() }]));
}

/** Removes a job's older checkpoints that no living job uses as input; their bytes are swept later. */
export const pruneCheckpoints = async (database: TransactionalDatabase, jobId: string): Promise<void> =>
  void (await removeUnusedArtifacts(database, older, [jobId]));
