import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clone } from './clone.mjs';

const OUTPUT = /\.(js|js\.map|d\.ts|d\.ts\.map)$/;
const SOURCES = ['.ts', '.tsx', '.mts'];

/** The files in the output folders of the root and of each room, relative to the clone. */
export function listOutputs(rooms) {
  return ['', ...rooms].flatMap((room) =>
    filesBelow(join(clone, room, 'dist')).map((path) => relative(clone, path)),
  );
}

/** Removes compiled files whose source is gone: they would still be imported, and their tests still run. */
export function removeStaleOutputs(rooms) {
  for (const room of ['', ...rooms]) {
    const outputs = join(clone, room, 'dist');
    for (const path of filesBelow(outputs)) {
      if (!OUTPUT.test(path)) continue;
      const source = join(clone, room, relative(outputs, path).replace(OUTPUT, ''));
      if (!SOURCES.some((ending) => existsSync(source + ending))) rmSync(path, { force: true });
    }
  }
}

/** Makes the compiler write everything again in the rooms of these lost outputs. */
export function forgetBuild(lostOutputs) {
  const folders = new Set(lostOutputs.map((path) => path.replace(/(^|\/)dist\/.*/, '$1dist')));
  for (const folder of folders) {
    for (const path of filesBelow(join(clone, folder))) {
      if (path.endsWith('.tsbuildinfo')) rmSync(path, { force: true });
    }
  }
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
