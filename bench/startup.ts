import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { figureOf, type Figure } from './figures.js';

const root = join(import.meta.dirname, '..', '..');

/** `npm run up` on a data folder that was used before: seconds from the command to its ready line. */
export async function startupFigure(): Promise<Figure> {
  const dataDir = join(tmpdir(), `gjm-bench-up-${process.pid}`);
  const runs: number[] = [];
  try {
    await readySeconds(dataDir);
    for (let run = 0; run < 5; run++) runs.push(await readySeconds(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  const fields = { name: '`npm run up`, second start, to ready', unit: 's', bar: '≤ 6' };
  return figureOf(fields, runs, 'low', (best) => best <= 6);
}

async function readySeconds(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '-s', 'up'], {
    cwd: root,
    // eslint-disable-next-line no-restricted-properties -- the command gets what this process was given, and its own folder
    env: { ...process.env, GJM_DATA_DIR: dataDir, GJM_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let isReady = false;
  for await (const line of createInterface(child.stdout)) {
    isReady = line.startsWith('ready ');
    if (isReady) break;
  }
  if (!isReady) throw new Error('`npm run up` ended before it was ready.');
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill('SIGINT');
  await exited;
  return seconds;
}

/** JavaScript that the dashboard's first page names, gzipped, in kB. */
export async function firstLoadFigure(): Promise<Figure> {
  const dist = join(root, 'web', 'dist');
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const assets = await readdir(join(dist, 'assets'));
  const named = assets.filter((name) => name.endsWith('.js') && html.includes(name));
  const sizes = await Promise.all(
    named.map(async (name) => gzipSync(await readFile(join(dist, 'assets', name))).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0) / 1_000;
  const fields = { name: 'dashboard, JavaScript of the first load, gzipped', unit: 'kB', bar: '≤ 120' };
  return figureOf(fields, [total], 'low', (best) => best <= 120);
}
