import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pause } from '../wait.js';
import type { ProgramTask } from './program-task.js';

export type MemoryGroup = NonNullable<ProgramTask['group']>;

/** Where this process' control groups are named, and where their files lie. */
const system = { groups: '/proc/self/cgroup', mounts: '/sys/fs/cgroup' };
/** A group in which the operator has put the worker so that its programs get groups beside it (`DelegateSubgroup`). */
const workersOwn = 'gjm-worker';
/** A group stays busy for a moment after its last process. */
const goneMs = 1_000;

/** Makes control groups that count and limit the memory of programs, below the worker's own group. */
export class MemoryGroups {
  readonly #parent: string;
  readonly #version: MemoryGroup['version'];
  readonly #prefix: string;

  private constructor(parent: string, version: MemoryGroup['version'], instanceId: string) {
    this.#parent = parent;
    this.#version = version;
    this.#prefix = `gjm-${instanceId}-`;
  }

  /** Null where none can be made, which is found out by making one. */
  static find(instanceId: string, { groups, mounts } = system): MemoryGroups | null {
    const places = placesOf(groups, mounts);
    for (const { folder, version } of places) {
      const found = new MemoryGroups(folder, version, instanceId);
      // Else one that a killed worker left here would stand in the way.
      found.#remove(join(folder, `${found.#prefix}try`));
      const tried = found.make('try', null);
      if (tried === null) continue;
      found.#remove(tried.folder);
      return found;
    }
    return null;
  }

  /** The group of one program; null when it can not be made. `limitBytes` null: as much as the worker's own group may. */
  make(name: string, limitBytes: number | null): MemoryGroup | null {
    const folder = join(this.#parent, `${this.#prefix}${name}`);
    const group: MemoryGroup = { folder, version: this.#version, limitBytes };
    try {
      mkdirSync(folder);
      // A folder that is no group of this kind lacks what we ask.
      if (countGroupKills(group) === null) throw new Error('It does not count.');
      if (limitBytes !== null) limit(group, limitBytes);
      return group;
    } catch {
      this.#remove(folder);
      return null;
    }
  }

  /** Call it when no process of the program is left. A group that stays is removed by the worker's next life. */
  async remove({ folder }: MemoryGroup): Promise<void> {
    const endsAt = performance.now() + goneMs;
    while (!this.#remove(folder) && performance.now() < endsAt) await pause(10);
  }

  /** Those that programs of an earlier life left. */
  removeLeftovers(): void {
    const names = readdirSync(this.#parent).filter((name) => name.startsWith(this.#prefix));
    for (const name of names) this.#remove(join(this.#parent, name));
  }

  #remove(folder: string): boolean {
    try {
      rmdirSync(folder);
    } catch {
      // Busy, or gone, which is looked at.
    }
    return !existsSync(folder);
  }
}

type Place = Pick<MemoryGroup, 'folder' | 'version'>;

/** Folders below which groups may be made. */
function placesOf(groups: string, mounts: string): Place[] {
  return textOf(groups)
    .split('\n')
    .flatMap((line): Place[] => {
      const [, controllers, path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (controllers?.split(',').includes('memory'))
        return [{ folder: join(mounts, 'memory', path), version: 1 }];
      const own = join(mounts, path);
      if (controllers !== '' || !existsSync(join(own, 'cgroup.subtree_control'))) return [];
      const folder = basename(own) === workersOwn ? dirname(own) : own;
      return handsOnMemory(folder) ? [{ folder, version: 2 }] : [];
    });
}

/** Whether groups below this one may limit memory; in version 2 that must be switched on, which works where no process is in it. */
function handsOnMemory(folder: string): boolean {
  const file = join(folder, 'cgroup.subtree_control');
  const isOn = () => textOf(file).trim().split(' ').includes('memory');
  try {
    if (!isOn()) writeFileSync(file, '+memory');
  } catch {
    return false;
  }
  return isOn();
}

/** Swap counts, too, where the kernel counts it: else a program would only become slow. */
function limit({ folder, version }: MemoryGroup, bytes: number): void {
  const [memory, swap, swapBytes] =
    version === 2
      ? ['memory.max', 'memory.swap.max', 0]
      : ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes', bytes];
  writeFileSync(join(folder, memory), String(bytes));
  if (existsSync(join(folder, swap))) writeFileSync(join(folder, swap), String(swapBytes));
}

/** How many processes of the group the kernel has killed for lack of memory; null where it does not tell. */
export function countGroupKills({ folder, version }: MemoryGroup): number | null {
  const text = textOf(join(folder, version === 2 ? 'memory.events' : 'memory.oom_control'));
  const count = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return count === undefined ? null : Number(count);
}

/** Kills the whole group by one call, where the kernel has one for that. */
export function killGroup({ folder }: MemoryGroup): void {
  const file = join(folder, 'cgroup.kill');
  try {
    if (existsSync(file)) writeFileSync(file, '1');
  } catch {
    // Whoever looks for living processes sees who is left.
  }
}

/** What starts a command inside of the group, where all that it starts is as well. */
export const intoGroup = ({ folder }: MemoryGroup, sh: string): string[] => [
  ...[sh, '-c', 'echo 0 > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
];

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
