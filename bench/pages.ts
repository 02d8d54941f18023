import type pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { figureOf, quantile, type Figure } from './figures.js';

/** A thousand jobs have a hundred pages of this length. */
const pageLength = 10;

/** Ended jobs of many owners' ages, straight into the table: a million through the API would only measure the API. */
const fill = `
INSERT INTO jobs (id, owner_id, kind, name, params, labels, priority, max_attempts, timeout_seconds, device_selector, plan, status, created_at, finished_at)
SELECT 'job_' || lpad(to_hex($2 + n), 26, '0'), $1, 'diagnostic', 'filler ' || n, '{}', '{}', n % 100, 3, 60, '{}', '{}', 'SUCCEEDED',
  now() - n * interval '1 second', now() - n * interval '1 second' + interval '1 ms'
FROM generate_series(1, $3::int) AS n`;

/** First and hundredth page of 10 jobs, p95 of 40 reads each, at 1,000,000 jobs over the same at 1,000. */
export async function pageFigures(client: NodeClient, database: pg.Client): Promise<Figure[]> {
  const viewer = await client.viewer();
  await database.query('SET statement_timeout = 0');
  await database.query(fill, [viewer!.id, 0, 1_000]);
  await database.query('ANALYZE jobs');
  const small = await measure(client);
  for (let part = 0; part < 10; part++)
    await database.query(fill, [viewer!.id, 1_000_000 * (part + 1), 99_900]);
  await database.query('ANALYZE jobs');
  const large = await measure(client);
  const ratio = (which: 'first' | 'hundredth') => large[which].map((ms, run) => ms / small[which][run]!);
  return (['first', 'hundredth'] as const).map((which) =>
    figureOf(
      { name: `${which} page at 1,000,000 jobs / at 1,000, p95`, unit: '×', bar: '≤ 2' },
      ratio(which),
      'low',
      (best) => best <= 2,
      { 'ms at 1,000,000': Math.min(...large[which]) },
    ),
  );
}

async function measure(client: NodeClient): Promise<Record<'first' | 'hundredth', number[]>> {
  let after: string | null = null;
  for (let page = 1; page < 100; page++)
    after = (await client.jobs({ first: pageLength, after })).pageInfo.endCursor ?? null;
  const first: number[] = [];
  const hundredth: number[] = [];
  for (let run = 0; run < 5; run++) {
    first.push(await p95(() => client.jobs({ first: pageLength })));
    hundredth.push(await p95(() => client.jobs({ first: pageLength, after })));
  }
  return { first, hundredth };
}

async function p95(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 40; count++) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  }
  return quantile(times, 0.95);
}
