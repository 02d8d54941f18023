import type pg from 'pg';
import type { NodeClient } from '@gjm/client/node.js';
import { bareSqlRate } from './bare.js';
import { figureOf, type Figure } from './figures.js';
import { submitMany, untilSucceeded } from './load.js';
import { processorMs } from './processor-time.js';

/** Whole lives of empty diagnostic jobs on 8 CPU slots with no watchers, the load generator on the same cores. */
export async function lifecycleThroughput(
  client: NodeClient,
  database: pg.Client,
  serverPid: number,
): Promise<Figure[]> {
  const count = 600;
  const rates: number[] = [];
  const cpu: number[] = [];
  const ratios: number[] = [];
  for (let run = 0; run < 5; run++) {
    const bare = await bareSqlRate(database, 300);
    const before = processorMs(serverPid);
    const startedAt = performance.now();
    await untilSucceeded(database, await submitMany(client, count, 16));
    rates.push(count / ((performance.now() - startedAt) / 1_000));
    cpu.push((processorMs(serverPid) - before) / count);
    ratios.push(rates.at(-1)! / bare);
  }
  const beside = { 'share of the bare-SQL rate': Math.max(...ratios) };
  return [
    figureOf(
      { name: 'whole lives of empty jobs, 8 slots', unit: 'jobs/s', bar: '≥ 100' },
      rates,
      'high',
      (best) => best >= 100,
      beside,
    ),
    figureOf({ name: 'server CPU per job', unit: 'ms', bar: '≤ 5' }, cpu, 'low', (best) => best <= 5),
  ];
}

/** Submits alone from 32 clients at once; the jobs wait for a device that does not exist and are cancelled afterwards. */
export async function submitRate(client: NodeClient, serverPid: number): Promise<Figure> {
  const count = 800;
  const rates: number[] = [];
  const cpu: number[] = [];
  for (let run = 0; run < 5; run++) {
    const before = processorMs(serverPid);
    const startedAt = performance.now();
    const ids = await submitMany(client, count, 32);
    rates.push(count / ((performance.now() - startedAt) / 1_000));
    cpu.push((processorMs(serverPid) - before) / count);
    await Promise.all(ids.map((id) => client.cancel(id)));
  }
  const fields = { name: 'submits alone, 32 clients', unit: '/s', bar: '≥ 400' };
  return figureOf(fields, rates, 'high', (best) => best >= 400, { 'server CPU ms each': Math.min(...cpu) });
}
