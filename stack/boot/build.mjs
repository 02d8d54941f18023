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

/** What `up`, `demo` and `worker` run: these and what they refer to. Tests and bench are not built for them. */
const RUN_ROOMS = ['core', 'migrations', 'server', 'worker', 'client', 'stack', 'cli'];
const RUN_PROJECTS = ['server', 'worker', 'stack', 'cli'];

/** Rooms whose change changes the dashboard. */
const WEB_ROOMS = ['web', 'client', 'core'];

/** True when the last build was made from exactly these sources and its outputs are still there. */
export function isBuilt(everything) {
  const stamp = readStamp();
  const isCodeBuilt = everything ? stamp.all === describeAll() : stamp.run === describeRun();
  return isCodeBuilt && stamp.web === describeWeb() && lacking(stamp).length === 0;
}

/** Compiles what changed, of everything or of what runs, and bundles the dashboard when its sources changed. */
export async function buildIfNeeded(everything, lockFd) {
  if (isBuilt(everything)) return;
  const stamp = readStamp();
  // Described before the work: an edit made meanwhile leads to another build.
  const next = { run: describeRun(), all: everything ? describeAll() : undefined, web: describeWeb() };
  const lost = lacking(stamp);
  if ((everything ? stamp.all !== next.all : stamp.run !== next.run) || lost.length > 0) {
    forgetBuild(lost);
    removeStaleOutputs(rooms.filter((room) => room !== 'web'));
    const projects = everything ? [] : RUN_PROJECTS;
    const args = ['node_modules/typescript/bin/tsc', '-b', ...projects];
    await runStep('Building', process.execPath, args, lockFd);
  }
  if (hasDashboard() && (stamp.web !== next.web || lost.some((path) => path.startsWith('web/')))) {
    const args = ['node_modules/vite/bin/vite.js', 'build', 'web'];
    await runStep('Building the dashboard', process.execPath, args, lockFd);
  }
  mkdirSync(join(clone, 'dist'), { recursive: true });
  // What an earlier, larger build made counts only while nothing has changed since.
  const all = next.all ?? (lost.length === 0 && stamp.run === next.run ? stamp.all : undefined);
  writeFileSync(stampPath, JSON.stringify({ ...next, all, outputs: listOutputs(rooms) }));
}

function hasDashboard() {
  return existsSync(join(clone, 'web', 'vite.config.ts'));
}

function describeAll() {
  const atRoot = ['tsconfig.json', 'tsconfig.root.json', 'jest.config.ts', 'ormconfig.ts'];
  return describeCode([...rooms, 'scripts'], atRoot);
}

function describeRun() {
  return describeCode(RUN_ROOMS, []);
}

function describeCode(folders, atRoot) {
  const isCode = (path) => /\.[cm]?tsx?$/.test(path) || /tsconfig[^/]*\.json$/.test(path);
  const inRooms = folders.flatMap((room) => listFiles(room, isCode));
  return describeFiles([...inRooms, ...atRoot, 'tsconfig.base.json', 'package-lock.json']);
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
