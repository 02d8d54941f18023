import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where this process' control groups are named, and where their files lie. */
const system = { groups: '/proc/self/cgroup', mounts: '/sys/fs/cgroup' };

/**
 * Processes and threads that one program may have: as many as `wanted`, but at most half of what the control groups of the worker allow to
 * all of its processes together. The other half is for the worker, its runners, and for ending a program that has taken all it may.
 */
export function programProcesses(wanted: number, { groups, mounts } = system): number {
  const most = Math.min(...groupFolders(groups, mounts).map((folder) => numberIn(join(folder, 'pids.max'))));
  return Math.min(wanted, Math.max(1, Math.floor(most / 2)));
}

/** The folders of the worker's groups that may count processes, with those above them: each can have its own limit. */
function groupFolders(groups: string, mounts: string): string[] {
  const lines = textOf(groups).split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    // Version 2 names no controllers; in version 1 each has a tree of its own.
    if (controllers === '') return upwards(mounts, path);
    return controllers.split(',').includes('pids') ? upwards(join(mounts, 'pids'), path) : [];
  });
}

function upwards(root: string, path: string): string[] {
  return path === '/' ? [root] : [join(root, path), ...upwards(root, dirname(path))];
}

/** Infinite for "max", and where there is no such file. */
function numberIn(path: string): number {
  const text = textOf(path).trim();
  return /^\d+$/.test(text) ? Number(text) : Infinity;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
