import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';

const flag = z.enum(['0', '1'], 'must be 0 or 1').default('0');
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const folders = z
  .string()
  .default('')
  .transform(list)
  .refine((paths) => paths.every(isAbsolute), 'must be absolute paths, separated by commas');

/** `name=/path,…`; the name becomes the label `env.<name>` of its devices. */
const environments = z
  .string()
  .default('')
  .transform((text) => list(text).map((item) => /^([A-Za-z0-9_-]{1,40})=(\/.*)$/.exec(item)))
  .refine((found) => found.every((item) => item !== null), 'must look like torch=/opt/torch,jax=/opt/jax')
  .transform((found) => Object.fromEntries(found.map((item) => [item?.[1] ?? '', item?.[2] ?? ''])));

/** A worker's settings about programs of users, as its environment has them. */
export const programVariables = {
  GJM_ALLOW_PROCESS_RUN: flag,
  GJM_RUN_AS: z
    .string()
    .regex(
      /^[a-z_][a-z0-9_-]{0,23}$/,
      'must be the name of a user: at most 24 small letters, digits, _ and -',
    )
    .default('gjm-run'),
  GJM_ALLOW_SAME_USER: flag,
  GJM_PROGRAM_DIR: z.string().min(1).optional(),
  GJM_PROGRAM_KEEPING: z.enum(['auto', 'namespace', 'user', 'mark']).default('auto'),
  GJM_PROGRAM_PROCESSES: wholeNumber(16, 4_194_304).default(8_192),
  GJM_PROGRAM_MEMORY_MB: wholeNumber(16, 1_000_000_000).optional(),
  GJM_OUTPUT_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(20 * 1024 ** 3),
  GJM_SHARED_FOLDERS: folders,
  GJM_ENVIRONMENTS: environments,
};

type Variables = z.output<z.ZodObject<typeof programVariables>>;

/** How this worker runs programs of users. */
export interface ProgramSettings {
  /** The user of the first slot's programs; those of others get `-1`, `-2` … behind the name. Only for a worker that runs as root. */
  runAs: string;
  /** Programs may run as the worker's own user where it can not change it. */
  allowsSameUser: boolean;
  /** Where programs get their folders; null: found at start. */
  folder: string | null;
  /** How all processes of a program are known; `auto`: the surest that works here. */
  keeping: 'auto' | 'namespace' | 'user' | 'mark';
  /** Processes and threads that the programs of one slot may have at once. */
  processes: number;
  /** Memory that one program may have, in bytes; null: no limit of ours. */
  memoryBytes: number | null;
  /** Bytes of one file, and of all outputs of a program. */
  outputBytes: number;
  /** Folders of this machine that programs are told of and can not write to. */
  sharedFolders: string[];
  /** Absolute folders of named environments (venv, conda). */
  environments: Record<string, string>;
}

/** Null when this worker does not run programs. */
export function readProgramSettings(raw: Variables): ProgramSettings | null {
  if (raw.GJM_ALLOW_PROCESS_RUN === '0') return null;
  return {
    runAs: raw.GJM_RUN_AS,
    allowsSameUser: raw.GJM_ALLOW_SAME_USER === '1',
    folder: raw.GJM_PROGRAM_DIR === undefined ? null : resolve(raw.GJM_PROGRAM_DIR),
    keeping: raw.GJM_PROGRAM_KEEPING,
    processes: raw.GJM_PROGRAM_PROCESSES,
    memoryBytes: raw.GJM_PROGRAM_MEMORY_MB === undefined ? null : raw.GJM_PROGRAM_MEMORY_MB * 1024 ** 2,
    outputBytes: raw.GJM_OUTPUT_BYTES,
    sharedFolders: raw.GJM_SHARED_FOLDERS,
    environments: raw.GJM_ENVIRONMENTS,
  };
}
