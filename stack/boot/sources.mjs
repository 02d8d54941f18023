import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clone, digest } from './clone.mjs';

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git', '.gjm']);

/** Every file below a folder of the clone for which `wanted(path)` holds, as paths relative to the clone, in order. */
export function listFiles(folder, wanted) {
  const found = [];
  const walk = (place) => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(place, entry.name);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path);
      } else if (wanted(path)) found.push(relative(clone, path));
    }
  };
  if (existsSync(join(clone, folder))) walk(join(clone, folder));
  return found.sort();
}

/** A digest of names, sizes and times of change: differs when any file was added, removed or edited. */
export function describeFiles(paths) {
  const lines = paths.map((path) => {
    const file = statSync(join(clone, path), { throwIfNoEntry: false });
    return `${path} ${file?.size} ${file?.mtimeMs}`;
  });
  return digest(lines.join('\n'));
}
