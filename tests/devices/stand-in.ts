import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { columnLists } from '@gjm/worker/device/smi-rows.js';

/** A GPU of a machine that is only described. All but its id has a default. */
export interface StandInGpu {
  uuid: string;
  bus?: string;
  /** In use without any process that is listed, in MiB. */
  usedMb?: number;
  /** Each runner child that is pinned to it holds so much of it, and is listed. */
  childMb?: number;
  processes?: { pid: number; mb: number }[];
  utilisation?: number;
  watts?: number;
  slices?: { uuid: string; profile: string }[];
  /** Said in place of single values, by column. */
  cells?: Record<string, string>;
  /** Said in place of every value but the id. */
  everyCell?: string;
  /** The driver can not reach it: that spoils the answer for all. */
  isOffBus?: boolean;
}

export interface StandInMachine {
  gpus: StandInGpu[];
  hidesProcesses?: boolean;
  /** Lines before those of the GPUs. */
  noise?: string[];
  unknownColumns?: string[];
  /** Every question ends like this. */
  exit?: Answer | undefined;
  hangs?: boolean;
}

interface Answer {
  lines: string[];
  code?: number;
}

/** An `nvidia-smi` for a machine that the test describes, and describes anew as often as it likes. */
export class StandInSmi {
  /** The program. */
  readonly path: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'gjm-smi-'));
  #machine: StandInMachine;
  #version = 0;

  constructor(machine: StandInMachine) {
    this.#machine = machine;
    this.path = join(this.folder, 'nvidia-smi');
    this.set({});
    const program = join(cloneRoot, 'tests/devices/stand-in-smi.sh');
    writeFileSync(this.path, `#!/bin/sh\nexec '${program}' '${this.folder}' "$@"\n`);
    chmodSync(this.path, 0o700);
  }

  /** From now on this is different. */
  set(change: Partial<StandInMachine>): void {
    this.#machine = { ...this.#machine, ...change };
    const folder = join(this.folder, String((this.#version += 1)));
    mkdirSync(folder);
    const write = (name: string, { lines, code }: Answer) => {
      writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
      if (code !== undefined) writeFileSync(join(folder, `${name}.code`), String(code));
    };
    for (const [name, answer] of answersOf(this.#machine)) write(name, this.#machine.exit ?? answer);
    write('children', { lines: childrenOf(this.#machine) });
    if (this.#machine.hangs) write('hangs', { lines: [] });
    if (this.#machine.hidesProcesses) write('hidden', { lines: [] });
    const link = join(this.folder, 'next');
    symlinkSync(folder, link);
    renameSync(link, join(this.folder, 'current'));
  }

  /** From now on this is different of one GPU. */
  setGpu(uuid: string, change: Partial<StandInGpu>): void {
    this.set({ gpus: this.#machine.gpus.map((gpu) => (gpu.uuid === uuid ? { ...gpu, ...change } : gpu)) });
  }

  /** Pids that a question for processes names on this GPU now. */
  listed(uuid: string): number[] {
    const answer = execFileSync(this.path, ['--query-compute-apps=gpu_uuid,pid,used_memory'], {
      encoding: 'utf8',
    });
    const lines = answer.split('\n').filter((line) => line.startsWith(uuid));
    return lines.map((line) => Number(line.split(', ')[1]));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function answersOf(machine: StandInMachine): [name: string, answer: Answer][] {
  const { gpus, hidesProcesses } = machine;
  const processes = gpus.flatMap((gpu) =>
    (gpu.processes ?? []).map(({ pid, mb }) => `${gpu.uuid}, ${pid}, ${mb}`),
  );
  const list = gpus.flatMap(({ uuid, slices = [] }, index) => [
    `GPU ${index}: NVIDIA Stand-in (UUID: ${uuid})`,
    ...slices.map((slice, n) => `  MIG ${slice.profile}     Device  ${n}: (UUID: ${slice.uuid})`),
  ]);
  return [
    ['processes', { lines: hidesProcesses ? [] : processes }],
    ['list', { lines: list }],
    ...columnLists.flatMap((columns): [string, Answer][] => [
      [`gpus-${columns.length}`, gpusAnswer(machine, gpus, columns)],
      ...gpus.map((gpu): [string, Answer] => [
        `gpus-${columns.length}.${gpu.uuid}`,
        gpusAnswer(machine, [gpu], columns),
      ]),
    ]),
  ];
}

function gpusAnswer(machine: StandInMachine, gpus: StandInGpu[], columns: readonly string[]): Answer {
  const refused = columns.find((name) => machine.unknownColumns?.includes(name));
  if (refused) return { lines: [`Field "${refused}" is not a valid field to query.`], code: 2 };
  if (gpus.length === 0) return { lines: ['No devices were found'], code: 6 };
  const broken = gpus.find((gpu) => gpu.isOffBus);
  if (broken)
    return {
      lines: [`Unable to determine the device handle for GPU ${busOf(broken)}: GPU is lost.  Reboot it.`],
      code: 15,
    };
  return { lines: [...(machine.noise ?? []), ...gpus.map((gpu) => cellsOf(gpu, columns).join(', '))] };
}

/** What the program calls a GPU: each has a name of its own, so that a job's page tells them apart. */
export const nameOf = (uuid: string): string => `Stand-in ${uuid}`;

const busOf = (gpu: StandInGpu) => gpu.bus ?? '00000000:01:00.0';

const heldMb = ({ usedMb = 10, processes = [] }: StandInGpu) =>
  usedMb + processes.reduce((sum, { mb }) => sum + mb, 0);

const childrenOf = ({ gpus }: StandInMachine) =>
  gpus.flatMap((gpu) => (gpu.childMb === undefined ? [] : `${gpu.uuid} ${gpu.childMb} ${heldMb(gpu)}`));

function cellsOf(gpu: StandInGpu, columns: readonly string[]): string[] {
  const told: Record<string, string> = {
    uuid: gpu.uuid,
    name: nameOf(gpu.uuid),
    'pci.bus_id': busOf(gpu),
    'memory.total': '16000',
    // The program adds what children hold.
    'memory.used': gpu.childMb === undefined ? String(heldMb(gpu)) : `@${gpu.uuid}@`,
    'utilization.gpu': String(gpu.utilisation ?? 0),
    'temperature.gpu': '40',
    'power.draw': String(gpu.watts ?? 50),
    driver_version: '999.1',
    compute_cap: '9.0',
    ...gpu.cells,
  };
  return columns.map((name) => (name !== 'uuid' ? gpu.everyCell : undefined) ?? told[name] ?? '');
}
