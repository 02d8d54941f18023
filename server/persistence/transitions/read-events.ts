import type { EventBody, StoredEvent } from '@gjm/core/wire/events.js';
import type { Database, Statement } from '../database.js';

const statement: Statement = {
  name: 'read-events',
  text: `SELECT sequence, attempt, type, at, data FROM job_events WHERE job_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
};

/** The same for many jobs at once: each list is cut on its own. */
const manyStatement: Statement = {
  name: 'read-events-of-jobs',
  text: `
SELECT page.* FROM unnest($1::text[]) AS wanted (id) CROSS JOIN LATERAL (
  SELECT job_id, sequence, attempt, type, at, data FROM job_events WHERE job_id = wanted.id AND sequence > $2 ORDER BY sequence LIMIT $3
) AS page
ORDER BY page.job_id, page.sequence`,
};

const headStatement: Statement = {
  name: 'read-head',
  text: `SELECT last_sequence, owner_id, status FROM jobs WHERE id = $1`,
};

interface Row {
  sequence: number;
  attempt: number | null;
  type: EventBody['type'];
  at: Date;
  data: unknown;
}

/** Events of a job numbered above `after`, ascending, at most `limit`. Pruned numbers are simply not there. */
export async function readEvents(
  database: Database,
  jobId: string,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await database.run<Row & Record<string, unknown>>(statement, [jobId, after, limit]);
  return rows.map((row) => toStoredEvent(jobId, row));
}

/** What {@link readEvents} gives for each of these jobs, in one statement, in order of job and number. */
export async function readEventsOfJobs(
  database: Database,
  jobIds: readonly string[],
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await database.run<Row & { job_id: string }>(manyStatement, [jobIds, after, limit]);
  return rows.map((row) => toStoredEvent(row.job_id, row));
}

const toStoredEvent = (jobId: string, { sequence, attempt, type, at, data }: Row): StoredEvent =>
  ({ jobId, sequence, attempt, at: at.toISOString(), type, data }) as StoredEvent;

export interface JobHead {
  lastSequence: number;
  ownerId: string;
  status: string;
}

/** Where a job's sequence stands, or null when there is no such job. */
export async function readHead(database: Database, jobId: string): Promise<JobHead | null> {
  const [row] = await database.run<{ last_sequence: number; owner_id: string; status: string }>(
    headStatement,
    [jobId],
  );
  return row ? { lastSequence: row.last_sequence, ownerId: row.owner_id, status: row.status } : null;
}
