import { unwrap, type NodeClient } from '@gjm/client/node.js';
import type pg from 'pg';

/** Submits `count` jobs, at most `parallel` at a time, and gives their ids in order of answer. */
export async function submitMany(
  client: NodeClient,
  count: number,
  parallel: number,
  params: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = [];
  let started = 0;
  const submitter = async (): Promise<void> => {
    while (started++ < count)
      ids.push(unwrap(await client.submit({ kind: 'diagnostic', params, labels: { bench: 'true' } })).job.id);
  };
  await Promise.all(Array.from({ length: parallel }, submitter));
  return ids;
}

/** Waits until none of these jobs is alive, a minute at most, looking every 20 ms; throws if one did not succeed. */
export async function untilSucceeded(database: pg.Client, ids: readonly string[]): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { rows } = await database.query<{ living: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS living, count(*) FILTER (WHERE status IN ('FAILED', 'CANCELLED'))::int AS failed
       FROM jobs WHERE id = ANY ($1)`,
      [ids],
    );
    const { living, failed } = rows[0]!;
    if (failed > 0) throw new Error(`${failed} jobs did not succeed.`);
    if (living === 0) return;
    if (performance.now() > deadline) throw new Error(`${living} jobs are still alive after a minute.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
