import pg from 'pg';
import type { Stack } from '@gjm/stack/stack.js';
import { until } from './until.js';

/** Waits until nothing is alive or taken any more in the database; the sentence names what still is. */
export async function untilAtRest(stack: Pick<Stack, 'databaseUrl'>, withinMs = 10_000): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await until(
      'no living job, no living attempt, no slot taken, held or silent',
      async () => {
        const { rows } = await client.query<{ jobs: number; attempts: number; slots: number }>(`
          SELECT (SELECT count(*) FROM jobs WHERE finished_at IS NULL)::int AS jobs,
            (SELECT count(*) FROM attempts WHERE state <> 'ENDED')::int AS attempts,
            (SELECT count(*) FROM slots WHERE attempt_id IS NOT NULL OR held_for IS NOT NULL OR silent_since IS NOT NULL)::int AS slots`);
        const { jobs, attempts, slots } = rows[0]!;
        return jobs + attempts + slots === 0;
      },
      withinMs,
    );
  } finally {
    await client.end();
  }
}
