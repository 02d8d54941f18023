import type pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { unwrap } from '@gjm/client/node.js';
import { barePathMs } from './bare.js';
import { figureOf, quantile, type Figure } from './figures.js';
import { submitMany, untilSucceeded } from './load.js';

const firstLine = `SELECT min(at) FROM job_events e WHERE e.job_id = j.id AND e.type = 'log'`;

/** Submit accepted → the workload's first line stored, by the database's clock; one job at a time on an idle stack with a warm slot. */
export async function firstLineLatency(
  client: NodeClient,
  database: pg.Client,
  redisUrl: string,
): Promise<Figure[]> {
  const p50: number[] = [];
  const p95: number[] = [];
  const seen: number[] = [];
  const ratios: number[] = [];
  for (let run = 0; run < 5; run++) {
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) {
      const acceptedAt = { at: 0 };
      const { job } = unwrap(await client.submit({ kind: 'diagnostic', params: { logLines: 1 } }));
      acceptedAt.at = performance.now();
      ids.push(job.id);
      for await (const event of client.watch(job.id))
        if (event.__typename === 'JobLogEvent') seen.push(performance.now() - acceptedAt.at);
    }
    await untilSucceeded(database, ids);
    const { rows } = await database.query<{ ms: number }>(
      `SELECT (extract(epoch FROM (${firstLine}) - j.created_at) * 1000)::float8 AS ms FROM jobs j WHERE id = ANY ($1)`,
      [ids],
    );
    const times = rows.map((row) => row.ms);
    p50.push(quantile(times, 0.5));
    p95.push(quantile(times, 0.95));
    ratios.push(quantile(times, 0.5) / quantile(await barePathMs(database, redisUrl, 40), 0.5));
  }
  const name = 'submit accepted → first line';
  const beside = {
    'seen by a watcher p50 ms': quantile(seen, 0.5),
    'times the bare path': Math.min(...ratios),
  };
  return [
    figureOf({ name: `${name}, p50`, unit: 'ms', bar: '≤ 20' }, p50, 'low', (best) => best <= 20, beside),
    figureOf({ name: `${name}, p95`, unit: 'ms', bar: '≤ 50' }, p95, 'low', (best) => best <= 50),
  ];
}

/** One slot: an attempt's finish accepted → the next job's first line stored, by the database's clock. */
export async function nextJobLatency(client: NodeClient, database: pg.Client): Promise<Figure> {
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    const ids = await submitMany(client, 60, 8, { logLines: 1, steps: 2, stepMs: 20 });
    await untilSucceeded(database, ids);
    const { rows } = await database.query<{ ms: number }>(
      `SELECT (extract(epoch FROM line - lag(finished_at) OVER (ORDER BY started_at)) * 1000)::float8 AS ms
       FROM (SELECT started_at, finished_at, (${firstLine}) AS line FROM jobs j WHERE id = ANY ($1)) AS job`,
      [ids],
    );
    runs.push(
      quantile(
        rows.map((row) => row.ms).filter((ms) => ms !== null),
        0.5,
      ),
    );
  }
  const fields = { name: 'one slot: finish accepted → next first line, p50', unit: 'ms', bar: '≤ 20' };
  return figureOf(fields, runs, 'low', (best) => best <= 20);
}
