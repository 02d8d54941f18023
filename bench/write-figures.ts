import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figures.js';

const path = join(import.meta.dirname, '..', 'results', 'latest.json');

interface Kept {
  figures: Figure[];
}

/** Writes `bench/results/latest.json`. A run of some parts takes the place of their figures and leaves the others as they were. */
export async function writeFigures(figures: readonly Figure[], isWhole: boolean): Promise<void> {
  const kept = isWhole ? [] : (JSON.parse(await readFile(path, 'utf8')) as Kept).figures;
  const fresh = new Map(figures.map((figure) => [figure.name, figure]));
  const known = kept.map((figure) => fresh.get(figure.name) ?? figure);
  const added = figures.filter(({ name }) => !kept.some((figure) => figure.name === name));
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  await writeFile(path, `${JSON.stringify({ machine, figures: [...known, ...added] }, null, 2)}\n`);
}
