import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses } from './end-processes.js';
import type { removeAll } from './left-files.js';
import { programProcesses } from './process-limit.js';
import { ProgramRoom } from './program-room.js';
import { MemoryGroups } from './memory-group.js';
import { ownerVariable } from '../instance/leftovers.js';
import type { Logger } from '../logger.js';
import { Removals } from './removals.js';
import { markVariable, type ProgramTask } from './program-task.js';
import { CanNotContain, RunUsers } from './run-users.js';
import type { ProgramSettings } from './settings.js';
import { findShared, mountReadOnly, refuseUnfitShared } from './shared-folders.js';
import { findNamespace, findTools, type Tools } from './tools.js';

export interface ProgramHostOptions {
  settings: ProgramSettings;
  /** The worker's data folder. */
  dataDir: string;
  instanceId: string;
  /** Variables of the worker that programs get, too: PATH, LANG and the like; nothing secret. */
  variables: Record<string, string>;
  log: Logger;
  /** How what programs left is removed; by default at once. */
  remove?: typeof removeAll;
}

/** What a room is made for. */
export interface ProgramErrand {
  /** Names the slot among those of this worker. */
  slot: string;
  jobId: string;
  attempt: number;
  /** Variables that pin the program to its devices. */
  pin: Record<string, string>;
}

/** How programs of users are kept on this machine: found out once, when the worker starts. */
export class ProgramHost {
  readonly #options: ProgramHostOptions;
  readonly #tools: Tools;
  readonly #users: RunUsers | null;
  readonly #namespace: string[] | null;
  readonly #groups: MemoryGroups | null;
  readonly #folder: string;
  readonly #removals: Removals;

  /** @throws CanNotContain with a sentence for the operator */
  constructor(options: ProgramHostOptions) {
    const { settings } = options;
    this.#options = options;
    this.#tools = findTools();
    const isRoot = process.getuid?.() === 0;
    if (!isRoot && !settings.allowsSameUser)
      throw new CanNotContain(
        'Programs would run as the user of this worker and could read its token: start the worker as root, or set GJM_ALLOW_SAME_USER=1.',
      );
    const wants = settings.keeping;
    const shared = findShared(settings.sharedFolders, this.#ownFolders());
    const mounts = isRoot ? mountReadOnly(shared, this.#tools) : null;
    const takesNamespace = wants === 'auto' || wants === 'namespace';
    const mounting = takesNamespace && mounts ? findNamespace(isRoot, this.#tools, mounts) : null;
    this.#namespace = mounting ?? (takesNamespace ? findNamespace(isRoot, this.#tools) : null);
    if (wants === 'namespace' && !this.#namespace)
      throw new CanNotContain('No process namespace can be made here, as GJM_PROGRAM_KEEPING asks.');
    if (wants === 'user' && !isRoot)
      throw new CanNotContain('GJM_PROGRAM_KEEPING=user needs a worker that runs as root.');
    this.#groups = MemoryGroups.find(options.instanceId);
    if (settings.memoryBytes !== null && !this.#groups)
      throw new CanNotContain(
        'No control group can be made here that limits memory, as GJM_PROGRAM_MEMORY_MB asks.',
      );
    this.#users = isRoot ? new RunUsers(settings.runAs) : null;
    try {
      refuseUnfitShared(shared, this.#users?.first ?? null, this.#tools, mounting !== null);
      this.#folder = this.#openFolder();
      this.#removals = new Removals({ ...options, parent: this.#folder });
    } catch (error) {
      this.#users?.close();
      throw error;
    }
  }

  /**
   * Ends what programs of an earlier life left running, and takes what they wrote out of reach; it is removed from now on. False when some of
   * their processes do not end.
   */
  async endLeftovers(): Promise<boolean> {
    const users = this.#users?.existing() ?? [];
    const ended = await Promise.all(
      users.map((user) => endProcesses({ user, keeping: 'user', mark: '', tools: this.#tools })),
    );
    this.#groups?.removeLeftovers();
    const removals = this.#removals;
    await removals.resume();
    const folders = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const left = folders.filter((folder) => !removals.isAt(folder));
    await Promise.all([
      ...left.map((folder) => removals.take(folder)),
      ...users.map((user) => removals.takeLeftBy(user)),
    ]);
    return ended.every((isGone) => isGone);
  }

  /** One sentence for the worker's log. */
  get description(): string {
    const who = this.#users ? `users ${this.#options.settings.runAs}…` : "the worker's own user";
    return `programs run as ${who} below ${this.#folder}, kept by ${this.#keeping}, ${this.#groups ? 'in control groups for their memory' : 'without control groups for their memory'}`;
  }

  /** Names of the environments that programs may ask for. */
  get environments(): string[] {
    return Object.keys(this.#options.settings.environments);
  }

  /** Makes the place for one program. @throws when its folder or user can not be made, or its memory not be held to a limit that is set */
  makeRoom({ slot, jobId, attempt, pin }: ProgramErrand): ProgramRoom {
    const { settings, variables, instanceId } = this.#options;
    const mark = randomBytes(16).toString('hex');
    const group = this.#groups?.make(mark, settings.memoryBytes) ?? null;
    if (group === null && settings.memoryBytes !== null)
      throw new CanNotContain(
        'The control group that limits the memory of a program can not be made any more.',
      );
    const task: ProgramTask = {
      ...{ jobId, attempt, tools: this.#tools, keeping: this.#keeping },
      // Nobody can list the folder above: who does not know this name does not find it.
      folder: join(this.#folder, randomBytes(16).toString('hex')),
      user: this.#users?.of(slot) ?? null,
      mark,
      group,
      variables,
      fixed: {
        ...pin,
        GJM_SHARED_FOLDERS: settings.sharedFolders.join(','),
        ...{ [markVariable]: mark, [ownerVariable]: instanceId },
      },
      environments: settings.environments,
      limits: { processes: programProcesses(settings.processes), outputBytes: settings.outputBytes },
    };
    return new ProgramRoom(task, this.#namespace ?? [], { removals: this.#removals, groups: this.#groups });
  }

  /** What programs leave from now on is only taken out of reach. */
  stopRemoving(): void {
    this.#removals.close();
  }

  close(): void {
    this.stopRemoving();
    this.#users?.close();
  }

  get #keeping(): ProgramTask['keeping'] {
    if (this.#namespace) return 'namespace';
    return this.#users && this.#options.settings.keeping !== 'mark' ? 'user' : 'mark';
  }

  /** What may hold the folders of programs, and where the worker keeps its own files. */
  #ownFolders(): string[] {
    const { settings, dataDir } = this.#options;
    return [dataDir, ...(settings.folder === null ? ['/var/lib/gjm'] : [settings.folder])];
  }

  /** A folder that programs' users can pass through but not list. */
  #openFolder(): string {
    const { settings, dataDir, instanceId } = this.#options;
    if (settings.folder !== null) {
      // Others may use the folder that was named: ours lies below.
      const own = join(settings.folder, instanceId);
      if (this.#canReach(own)) return own;
      throw new CanNotContain(`The users of programs can not reach ${settings.folder} (GJM_PROGRAM_DIR).`);
    }
    // It is the worker's alone; what is in it stays closed.
    if (this.#users) chmodSync(dataDir, 0o711);
    const candidates = [
      join(dataDir, 'programs'),
      ...(this.#users ? [`/var/lib/gjm/programs-${instanceId}`] : []),
    ];
    const folder = candidates.find((path) => this.#canReach(path));
    if (folder !== undefined) return folder;
    throw new CanNotContain(
      `The users of programs can not reach ${candidates.join(' or ')}: name a folder in GJM_PROGRAM_DIR.`,
    );
  }

  #canReach(path: string): boolean {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    chmodSync(path, 0o711);
    if (!this.#users) return true;
    const { uid, gid } = this.#users.first;
    const { setpriv, sh } = this.#tools;
    const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    const tried = spawnSync(setpriv, [...as, sh, '-c', 'cd "$0"', path], { env: {}, timeout: 5_000 });
    return tried.status === 0;
  }
}
