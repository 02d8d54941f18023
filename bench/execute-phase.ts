import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import sharp from 'sharp';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { figureOf, quantile, type Figure } from './figures.js';

/** Between these two events lies the execute phase: the line printed before the model loads, and the last tile. */
const phase = `
SELECT (extract(epoch FROM max(at) FILTER (WHERE type = 'progress') - min(at) FILTER (WHERE type = 'log')) * 1000)::float8 AS ms
FROM job_events WHERE job_id = $1`;

const samplePath = join(import.meta.dirname, '..', '..', 'samples', 'harbour.png');

/** A real job's execute phase against the same model, tiles and picture in a bare script; first runs warm both up and do not count. */
export async function executePhase(client: NodeClient, database: pg.Client): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'gjm-bench-'));
  try {
    const path = join(folder, 'picture.png');
    await sharp(samplePath).resize(640, 480).png().toFile(path);
    const image = (await client.uploadFile(path)).id;
    const ratios: number[] = [];
    await jobMs(client, database, image);
    for (let run = 0; run < 5; run++) {
      const bare = await bareMs(path);
      ratios.push((await jobMs(client, database, image)) / bare);
    }
    const fields = { name: 'execute phase of a job / of a bare script', unit: '×', bar: '≤ 1.05' };
    return figureOf(fields, ratios, 'low', (best) => best <= 1.05, { median: quantile(ratios, 0.5) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function jobMs(client: NodeClient, database: pg.Client, image: string): Promise<number> {
  const { job } = unwrap(await client.submit({ kind: 'image.upscale', params: { image, scale: 2 } }));
  for await (const _ of client.watch(job.id));
  const { rows } = await database.query<{ ms: number }>(phase, [job.id]);
  return rows[0]!.ms;
}

async function bareMs(path: string): Promise<number> {
  const child = fork(join(import.meta.dirname, 'bare-upscale.js'), [path, '2']);
  const [times] = (await once(child, 'message')) as [number[]];
  if (child.exitCode === null) await once(child, 'exit');
  return times[1]!;
}
