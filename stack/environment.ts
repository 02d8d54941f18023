import { resolve } from 'node:path';
import { z } from 'zod';
import { cloneRoot } from './clone.js';
import { StackProblem } from './problem.js';

/** The process environment as text. */
export type EnvironmentVariables = Record<string, string | undefined>;

const serviceUrl = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must look like ${example}`);
const milliseconds = z.coerce.number().int().min(0);

const schema = z.object({
  GJM_DATA_DIR: z.string().optional(),
  GJM_HOST: z.string().default('127.0.0.1'),
  GJM_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  GJM_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  GJM_WORKER_TOKEN: z.string().startsWith('gjmw_', 'must start with gjmw_').optional(),
  GJM_ARTIFACT_DIR: z.string().optional(),
  GJM_CPU_SLOTS: z.coerce.number().int().min(1).max(256).optional(),
  GJM_GRACE_MS: milliseconds.default(5_000),
  GJM_DRAIN_MS: milliseconds.default(0),
  DATABASE_URL: serviceUrl(/^postgres(ql)?:\/\/./, 'postgres://user:password@host:5432/name').optional(),
  REDIS_URL: serviceUrl(/^rediss?:\/\/./, 'redis://:password@host:6379').optional(),
  HOME: z.string().optional(),
  XDG_CACHE_HOME: z.string().optional(),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  INIT_CWD: z.string().optional(),
});

/** The settings of a stack, read once. Paths are absolute. */
export interface StackEnvironment {
  dataDir: string;
  host: string;
  /** 0 = any free port. */
  port: number;
  secret: string | undefined;
  workerToken: string | undefined;
  artifactDir: string | undefined;
  cpuSlots: number | undefined;
  graceMs: number;
  drainMs: number;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Where programs may be cached, best place first. */
  cacheFolders: string[];
  searchPath: string[];
  /** The folder the person stood in when typing the command. */
  startedIn: string;
  /** All variables as they are, to be handed on to server and worker. */
  inherited: EnvironmentVariables;
}

/** Reads and checks the environment; fails with one {@link StackProblem} that lists every bad variable. */
export function readEnvironment(variables: EnvironmentVariables = process.env): StackEnvironment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(set);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new StackProblem(`These settings can not be used:\n  ${problems.join('\n  ')}`);
  }
  const env = parsed.data;
  const caches = [env.XDG_CACHE_HOME, env.HOME && resolve(env.HOME, '.cache')];
  return {
    dataDir: resolve(env.GJM_DATA_DIR ?? resolve(cloneRoot, '.gjm')),
    host: env.GJM_HOST,
    port: env.GJM_PORT,
    secret: env.GJM_SECRET,
    workerToken: env.GJM_WORKER_TOKEN,
    artifactDir: env.GJM_ARTIFACT_DIR && resolve(env.GJM_ARTIFACT_DIR),
    cpuSlots: env.GJM_CPU_SLOTS,
    graceMs: env.GJM_GRACE_MS,
    drainMs: env.GJM_DRAIN_MS,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    cacheFolders: caches.filter((folder) => folder !== undefined).map((folder) => resolve(folder, 'gjm')),
    searchPath: env.PATH.split(':').filter((folder) => folder !== ''),
    startedIn: resolve(env.INIT_CWD ?? '.'),
    inherited: variables,
  };
}
