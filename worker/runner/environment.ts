import { z } from 'zod';
import { programTaskSchema, programTaskVariable, type ProgramTask } from '../containment/program-task.js';

/** What the supervisor tells a runner before it starts. A runner's environment holds no secret and no address. */
const environmentSchema = z.object({
  /** Engines to try, in order of preference. */
  GJM_RUNNER_ENGINES: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .refine((names) => names.length > 0, 'name at least one engine'),
  /** The device this process serves for life. The variables that pin it are read by the engine's own libraries. */
  GJM_RUNNER_DEVICE_UID: z.string().min(1),
  GJM_RUNNER_DEVICE_KIND: z.string().min(1),
  /** Only for a runner that runs one program instead of computing. */
  [programTaskVariable]: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(programTaskSchema)
    .optional(),
});

export interface RunnerEnvironment {
  engines: string[];
  deviceUid: string;
  deviceKind: string;
  program: ProgramTask | null;
}

/** @throws Error with one line that names each variable that is missing or wrong */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): RunnerEnvironment {
  const parsed = environmentSchema.safeParse(env);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  }
  return {
    engines: parsed.data.GJM_RUNNER_ENGINES,
    deviceUid: parsed.data.GJM_RUNNER_DEVICE_UID,
    deviceKind: parsed.data.GJM_RUNNER_DEVICE_KIND,
    program: parsed.data[programTaskVariable] ?? null,
  };
}

/** The folder of optional packages that `GJM_PACKAGES_DIR` names, or null: then they lie at their usual place. */
export const packagesFolderSetting = (): string | null => process.env['GJM_PACKAGES_DIR'] || null;
