import { z } from 'zod';

/** Name of the variable in which a runner child finds its task. */
export const programTaskVariable = 'GJM_RUNNER_PROGRAM';

/** Set in the environment of a program and of whatever becomes it, so that whoever is left of it is known for it. */
export const markVariable = 'GJM_PROGRAM_MARK';

/** What the supervisor tells a runner child that runs one program. Nothing in it is secret. */
export const programTaskSchema = z.object({
  jobId: z.string(),
  /** The attempt's number. */
  attempt: z.number().int(),
  /** Absolute path of the program's folder, made by the supervisor: only `programFolders` of it belong to the program. */
  folder: z.string(),
  /** Whom the program runs as; null: as whom the worker runs. */
  user: z.object({ name: z.string(), uid: z.number().int(), gid: z.number().int() }).nullable(),
  /** How all of its processes are ended: see `Keeping`. */
  keeping: z.enum(['namespace', 'user', 'mark']),
  mark: z.string(),
  /** The control group that counts its memory; null where none can be made. */
  group: z
    .object({ folder: z.string(), version: z.literal([1, 2]), limitBytes: z.number().nullable() })
    .nullable(),
  /** Absolute paths: what a program's PATH says must never decide what runs before its user is changed. */
  tools: z.object({ setpriv: z.string(), prlimit: z.string(), env: z.string(), sh: z.string() }),
  /** Variables that every program gets unless it sets its own. */
  variables: z.record(z.string(), z.string()),
  /** Variables that it can not set otherwise: what pins it to its devices, and what we know its processes by. */
  fixed: z.record(z.string(), z.string()),
  /** Absolute folders of named environments, by name. */
  environments: z.record(z.string(), z.string()),
  /** Processes and threads of its user; bytes of one file, and of all that it leaves. */
  limits: z.object({ processes: z.number().int(), outputBytes: z.number() }),
});
export type ProgramTask = z.infer<typeof programTaskSchema>;
export type ProgramUser = NonNullable<ProgramTask['user']>;

/** Folders in a program's folder that belong to its user. */
export const programFolders = ['work', 'out', 'checkpoints', 'tmp'] as const;
