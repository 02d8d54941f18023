import { In, type DataSource } from 'typeorm';
import type { ArtifactRecord, ArtifactRows, NewArtifact } from '../application/files/ports.js';
import { ArtifactEntity } from './artifact.entity.js';
import type { Statement, TransactionalDatabase } from './database.js';
import { pruneCheckpoints } from './transitions/checkpoints.js';
import { JobEntity } from './job.entity.js';

/**
 * The guard is part of the insert: a worker that lost its attempt while its bytes travelled adds nothing. Locks the job first, as every
 * transition does, so that the two can not deadlock.
 */
const insertArtifact: Statement = {
  name: 'insert-artifact',
  text: `
WITH job AS MATERIALIZED (
  SELECT id FROM jobs WHERE id = $2 FOR KEY SHARE
), attempt AS MATERIALIZED (
  SELECT attempts.id FROM job JOIN attempts ON attempts.job_id = job.id
  WHERE attempts.id = $3 AND state = 'RUNNING' AND token_hash = $11 FOR SHARE OF attempts
), inserted AS (
  INSERT INTO artifacts (id, job_id, attempt_id, attempt_number, role, name, media_type, bytes, sha256, storage_key)
  SELECT $1, $2, id, $4::integer, $5, $6, $7, $8::bigint, $9, $10 FROM attempt
  ON CONFLICT (attempt_id, role, name) DO NOTHING
  RETURNING id
)
SELECT EXISTS (SELECT FROM attempt) AS is_running, EXISTS (SELECT FROM inserted) AS is_inserted`,
};

/** Artifacts in Postgres. */
export function createArtifactRows(dataSource: DataSource, database: TransactionalDatabase): ArtifactRows {
  const artifacts = dataSource.getRepository(ArtifactEntity);
  const jobs = dataSource.getRepository(JobEntity);
  const order = { createdAt: 'ASC', id: 'ASC' } as const;
  return {
    async find(id) {
      const row = await artifacts.findOneBy({ id });
      const job =
        row && (await jobs.findOne({ where: { id: row.jobId }, select: { id: true, ownerId: true } }));
      return job && { ...recordOf(row), ownerId: job.ownerId };
    },
    async findByName(attemptId, role, name) {
      const row = await artifacts.findOneBy({ attemptId, role, name });
      return row && recordOf(row);
    },
    insert: (artifact, tokenHash) => insert(database, artifact, tokenHash),
    async ofJobs(jobIds) {
      if (jobIds.length === 0) return [];
      return (
        await artifacts.find({ where: { jobId: In(jobIds), accepted: true, role: 'RESULT' }, order })
      ).map(recordOf);
    },
    async ofAttempts(attemptIds) {
      if (attemptIds.length === 0) return [];
      return (await artifacts.find({ where: { attemptId: In(attemptIds) }, order })).map(recordOf);
    },
  };
}

async function insert(
  database: TransactionalDatabase,
  a: NewArtifact,
  tokenHash: string,
): Promise<'inserted' | 'exists' | 'stale'> {
  const facts = [
    a.id,
    a.jobId,
    a.attemptId,
    a.attemptNumber,
    a.role,
    a.name,
    a.mediaType,
    a.bytes,
    a.sha256,
    a.storageKey,
  ];
  const [row] = await database.run<{ is_running: boolean; is_inserted: boolean }>(insertArtifact, [
    ...facts,
    tokenHash,
  ]);
  if (row?.is_inserted && a.role === 'CHECKPOINT') await pruneCheckpoints(database, a.jobId);
  if (row?.is_inserted) return 'inserted';
  return row?.is_running ? 'exists' : 'stale';
}

const recordOf = (row: ArtifactEntity): ArtifactRecord => ({ ...row });
