import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clone } from './clone.mjs';
import { forgetBuild, listOutputs, removeStaleOutputs } from './outputs.mjs';
import { describeFiles, listFiles } from './sources.mjs';
import { runStep } from './step.mjs';

const stampPath = join(clone, 'dist', 'build-stamp.json');
const rooms = JSON.parse(readFileSync(join(clone, 'tsconfig.json'), 'utf8'))
  .references.map((reference) => reference.path)
  .filter((path) => !path.endsWith('.json') && existsSync(join(clone, path)));

/** Rooms whose change changes the dashboard. */
const WEB_ROOMS = ['web', 'client', 'core'];

/** True when the last build was made from exactly these sources and all its outputs are still there. */
export function isBuilt() {
  const stamp = readStamp();
  return stamp.code === describeCode() && stamp.web === describeWeb() && lacking(stamp).length === 0;
}

/** Compiles what changed, and bundles the dashboard when its sources changed. */
export async function buildIfNeeded(lockFd) {
  if (isBuilt()) return;
  const stamp = readStamp();
  // Described before the work: an edit made meanwhile leads to another build.
  const next = { code: describeCode(), web: describeWeb() };
  const lost = lacking(stamp);
  if (stamp.code !== next.code || lost.length > 0) {
    forgetBuild(lost);
    removeStaleOutputs(rooms.filter((room) => room !== 'web'));
    await runStep('Building', process.execPath, ['node_modules/typescript/bin/tsc', '-b'], lockFd);
  }
  if (hasDashboard() && (stamp.web !== next.web || lost.some((path) => path.startsWith('web/')))) {
    await runStep('Building the dashboard', process.execPath, [
      'node_modules/vite/bin/vite.js',
      'build',
      'web',
    ]);
  }
  mkdirSync(join(clone, 'dist'), { recursive: true });
  writeFileSync(stampPath, JSON.stringify({ ...next, outputs: listOutputs(rooms) }));
}

function hasDashboard() {
  return existsSync(join(clone, 'web', 'vite.config.ts'));
}

function describeCode() {
  const isCode = (path) => /\.([cm]?tsx?|d\.ts)$/.test(path) || /tsconfig[^/]*\.json$/.test(path);
  const inRooms = [...rooms, 'scripts'].flatMap((room) => listFiles(room, isCode));
  const atRoot = [
    'tsconfig.json',
    'tsconfig.base.json',
    'tsconfig.root.json',
    'jest.config.ts',
    'ormconfig.ts',
  ];
  return describeFiles([...inRooms, ...atRoot, 'package-lock.json']);
}

function describeWeb() {
  if (!hasDashboard()) return '';
  return describeFiles([...WEB_ROOMS.flatMap((room) => listFiles(room, () => true)), 'package-lock.json']);
}

function lacking(stamp) {
  return stamp.outputs.filter((path) => !existsSync(join(clone, path)));
}

function readStamp() {
  try {
    return { outputs: [], ...JSON.parse(readFileSync(stampPath, 'utf8')) };
  } catch {
    return { outputs: [] };
  }
}
