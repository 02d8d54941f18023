import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { programVariables, readProgramSettings } from './containment/settings.js';
import { driverVariables, driverVariablesOf } from './device/driver-variables.js';

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** A fault this process makes on purpose, once, for the project's own tests. */
export type Fault = { act: 'exit' } | { act: 'delay'; ms: number };

const fault = z
  .string()
  .regex(/^[a-z-]+:(exit|delay=\d+)$/, 'must look like worker-after-pop:exit or worker-after-pop:delay=500')
  .transform((text): Fault | null => {
    const [point, act = ''] = text.split(':');
    // The variable is shared with the server, whose points are not ours.
    if (point !== 'worker-after-pop') return null;
    return act === 'exit' ? { act: 'exit' } : { act: 'delay', ms: Number(act.slice('delay='.length)) };
  });

const defaultDataDir = '.gjm/worker';

const schema = z
  .object({
    GJM_SERVER: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address, like http://host:4000' })
      .transform((url) => url.replace(/\/+$/, '')),
    GJM_WORKER_TOKEN: z.string().regex(/^\S+$/, 'must be a token without blanks'),
    GJM_DATA_DIR: z.string().min(1).default(defaultDataDir),
    GJM_WORKER_NAME: z.string().min(1).max(128).default(hostname().slice(0, 128)),
    GJM_CPU_SLOTS: wholeNumber(1, 256).default(1),
    GJM_WORKER_REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' })
      .optional(),
    GJM_DRAIN_MS: wholeNumber(0, 86_400_000).default(0),
    GJM_NVIDIA_SMI: z.string().default('nvidia-smi'),
    GJM_PROBE_MS: wholeNumber(100, 60_000).default(2_000),
    GJM_FOREIGN_MB: wholeNumber(0, 1_000_000).default(512),
    GJM_PACKAGES_DIR: z.string().optional(),
    GJM_ALLOW_SOFTWARE_GPU: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
    ...driverVariables,
    ...programVariables,
    GJM_DIAGNOSTIC_JOBS: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
    GJM_FAULT: fault.nullable().default(null),
    GJM_DIAGNOSTIC_GPU_ENGINE: z.enum(['wasm', 'cpu'], 'must be wasm or cpu').nullable().default(null),
    PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
    HOME: z.string().optional(),
    LANG: z.string().optional(),
    TZ: z.string().optional(),
  })
  .transform((raw) => ({
    server: raw.GJM_SERVER,
    token: raw.GJM_WORKER_TOKEN,
    dataDir: resolve(raw.GJM_DATA_DIR),
    name: raw.GJM_WORKER_NAME,
    cpuSlots: raw.GJM_CPU_SLOTS,
    redisUrl: raw.GJM_WORKER_REDIS_URL ?? null,
    drainMs: raw.GJM_DRAIN_MS,
    /** How programs of users are run here; null: not at all. */
    programs: readProgramSettings(raw),
    /** The program that tells of GPUs; null: none are used. */
    nvidiaSmi: raw.GJM_NVIDIA_SMI === 'none' ? null : raw.GJM_NVIDIA_SMI,
    probeMs: raw.GJM_PROBE_MS,
    foreignBytes: raw.GJM_FOREIGN_MB * 1024 * 1024,
    diagnosticGpuEngine: raw.GJM_DIAGNOSTIC_JOBS === '1' ? raw.GJM_DIAGNOSTIC_GPU_ENGINE : null,
    fault: raw.GJM_DIAGNOSTIC_JOBS === '1' ? raw.GJM_FAULT : null,
    /** Whether adapters that only compute on the CPU are offered. */
    allowSoftwareGpu: raw.GJM_ALLOW_SOFTWARE_GPU === '1',
    /** All that a runner child inherits: nothing here is secret. */
    childEnv: Object.fromEntries(
      Object.entries({
        ...{ PATH: raw.PATH, HOME: raw.HOME, LANG: raw.LANG, TZ: raw.TZ },
        ...driverVariablesOf(raw),
        GJM_PACKAGES_DIR: raw.GJM_PACKAGES_DIR && resolve(raw.GJM_PACKAGES_DIR),
      }).filter(([, value]) => value),
    ) as Record<string, string>,
  }));

export type Environment = z.output<typeof schema>;

export const usage = `Usage: npm run worker -- --server http://host:4000 --token gjmw_…
  --server URL        address of the server (GJM_SERVER)
  --token TOKEN       worker token (GJM_WORKER_TOKEN)
  --token-file FILE   file that holds the worker token`;

export type EnvironmentAnswer = { ok: true; value: Environment } | { ok: false; problems: string[] };

/** Reads flags and environment; flags win. All problems are told at once, one sentence each. The only reader of process.env here. */
export function readEnvironment(argv: string[], env: NodeJS.ProcessEnv = process.env): EnvironmentAnswer {
  const problems: string[] = [];
  const flags = readFlags(argv, problems);
  // An empty variable is an unset one: that is what `VAR= command` means to most people.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const token = readToken(flags, problems) ?? given['GJM_WORKER_TOKEN'];
  const parsed = schema.safeParse({
    ...given,
    GJM_SERVER: flags['server'] ?? given['GJM_SERVER'],
    GJM_WORKER_TOKEN: token,
  });
  // Every process of a machine can read the command lines of all others.
  if (parsed.data?.programs && flags['token'] !== undefined)
    problems.push(
      'A worker that runs programs (GJM_ALLOW_PROCESS_RUN) takes no --token, which they could read: use --token-file or GJM_WORKER_TOKEN.',
    );
  if (parsed.success && problems.length === 0) return { ok: true, value: parsed.data };
  const missing: Record<string, string> = {
    GJM_SERVER: 'No server is named: give --server URL or set GJM_SERVER.',
    GJM_WORKER_TOKEN: 'No worker token is given: use --token, --token-file or GJM_WORKER_TOKEN.',
  };
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    const isMissing = name === 'GJM_WORKER_TOKEN' ? token === undefined : !flags['server'] && !given[name];
    if (isMissing && missing[name]) {
      // A token file that could not be read has had its sentence already.
      if (!(name === 'GJM_WORKER_TOKEN' && flags['token-file'])) problems.push(missing[name]);
    } else problems.push(`${name} ${issue.message}.`);
  }
  return { ok: false, problems };
}

/** The folder of the worker that these variables are for; all else about them may be wrong. */
export const readDataDir = (env: NodeJS.ProcessEnv = process.env): string =>
  resolve(env['GJM_DATA_DIR'] || defaultDataDir);

function readFlags(argv: string[], problems: string[]): Record<string, string | undefined> {
  try {
    const { values } = parseArgs({
      args: argv,
      options: { server: { type: 'string' }, token: { type: 'string' }, 'token-file': { type: 'string' } },
    });
    return values;
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return {};
  }
}

function readToken(flags: Record<string, string | undefined>, problems: string[]): string | undefined {
  if (flags['token'] !== undefined && flags['token-file'] !== undefined)
    problems.push('Give --token or --token-file, not both.');
  if (flags['token'] !== undefined) return flags['token'];
  const path = flags['token-file'];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    problems.push(`The token file ${path} can not be read.`);
    return undefined;
  }
}
