import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { resolveTiming, type Timing } from '@gjm/core/timing.js';
import type { ProgramUsers } from './application/enabled-kinds.js';
import { faultPoints, type Fault } from './application/fault.js';
import { readProxies, type IsProxy } from './api/proxies.js';
import { artifactVariables, describeArtifacts, type ArtifactSettings } from './artifacts/settings.js';
import { readSecretFiles } from './secret-files.js';

export type RegistrationMode = 'open' | 'invite' | 'closed';

/** Everything the server is told by its surroundings, read once. Paths are absolute; `…Bytes`, `…Seconds`, `…Days` name their unit. */
export interface ServerEnvironment {
  databaseUrl: string;
  /** Connections to Postgres at most. */
  databasePool: number;
  redisUrl: string;
  /** What workers are told to connect to: a URL of a limited Redis user, or `redisUrl`. */
  workerRedisUrl: string;
  /** Null: made from the installation id in Postgres. */
  redisPrefix: string | null;
  /** The one secret of an installation, shared by its replicas; keys are derived from it (keys.ts). */
  secret: string;
  host: string;
  /** 0 = any free port. */
  port: number;
  /** Whether only this machine can reach the server. */
  isLoopback: boolean;
  /** Machines in front of us whose word for their clients is taken. */
  isProxy: IsProxy;
  dataDir: string;
  /** Where files are kept. */
  artifacts: ArtifactSettings;
  webDir: string;
  registration: RegistrationMode;
  uploadBytes: number;
  /** Log events kept per job. */
  logBytes: number;
  accessTokenSeconds: number;
  /** Wrong passwords per account in 15 minutes before a wait. */
  loginFailures: number;
  diagnosticJobs: boolean;
  /** Who may run programs of their own. */
  programUsers: ProgramUsers;
  fault: Fault | null;
  timing: Timing;
  bootstrap: { invite: string | null; signInToken: string | null; workerToken: string | null };
  /** Days that log, progress and metric events of ended jobs are kept. */
  eventDays: number;
  /** Days that CHECKPOINT and LOG artifacts are kept. */
  scrapDays: number;
  logLevel: string;
}

const gibibyte = 1024 ** 3;
/** A secret with fewer different characters was not made by chance: 32 random hexadecimal digits have 14 of 16 on average. */
const distinctCharacters = 8;
const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const milliseconds = integer(1, 86_400_000).optional();
const serviceUrl = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must look like ${example}`);

function toProxies(text: string, context: z.RefinementCtx): IsProxy {
  try {
    return readProxies(text);
  } catch {
    const message =
      'must be a number of hops, or loopback, linklocal, uniquelocal, addresses and CIDRs, separated by commas';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
}

function toProgramUsers(text: string, context: z.RefinementCtx): ProgramUsers {
  if (text === 'off' || text === 'all') return text;
  const addresses = text.split(',').map((address) => address.trim().toLowerCase());
  if (addresses.every((address) => /^[^@\s]+@[^@\s]+$/.test(address))) return new Set(addresses);
  context.addIssue({
    code: 'custom',
    message: 'must be off, all, or the e-mail addresses of users, separated by commas',
  });
  return z.NEVER;
}

/** Every variable the server reads; those of `secretSettings` also as a file. */
export const serverVariables = z.object({
  DATABASE_URL: serviceUrl(/^postgres(ql)?:\/\/./, 'postgres://user:password@host:5432/name'),
  REDIS_URL: serviceUrl(/^rediss?:\/\/./, 'redis://:password@host:6379'),
  GJM_DATABASE_POOL: integer(2, 1_000).default(10),
  GJM_SECRET: z
    .string('is required: at least 32 random characters')
    .min(32, 'must have at least 32 characters')
    .refine(
      (secret) => new Set(secret).size >= distinctCharacters,
      'is no random text: make one with openssl rand -hex 32',
    ),
  GJM_HOST: z.string().default('127.0.0.1'),
  GJM_PORT: integer(0, 65_535).default(4000),
  GJM_TRUST_PROXY: z.string().default('0').transform(toProxies),
  GJM_DATA_DIR: z.string().default('.gjm'),
  ...artifactVariables,
  GJM_WEB_DIR: z.string().optional(),
  GJM_REGISTRATION: z.enum(['open', 'invite', 'closed']).optional(),
  GJM_UPLOAD_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(2 * gibibyte),
  GJM_LOG_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(gibibyte / 4),
  GJM_ACCESS_TOKEN_SECONDS: integer(1, 86_400).default(900),
  GJM_LOGIN_FAILURES: integer(1, 1_000_000).default(10),
  GJM_REDIS_PREFIX: z
    .string()
    .regex(/^[\w:-]{1,64}$/, 'takes letters, digits, _ - and :')
    .optional(),
  GJM_WORKER_REDIS_URL: serviceUrl(/^rediss?:\/\/./, 'redis://user:password@host:6379').optional(),
  GJM_DIAGNOSTIC_JOBS: z.enum(['0', '1']).default('0'),
  GJM_PROCESS_RUN: z.string().default('off').transform(toProgramUsers),
  GJM_FAULT: z.string().optional(),
  GJM_HEARTBEAT_MS: milliseconds,
  GJM_LEASE_MS: milliseconds,
  GJM_GRACE_MS: integer(0, 86_400_000).optional(),
  GJM_TICK_MS: milliseconds,
  GJM_DISPATCH_MS: milliseconds,
  GJM_ORPHAN_MS: milliseconds,
  GJM_BOOTSTRAP_INVITE: z.string().min(16, 'must have at least 16 characters').optional(),
  GJM_BOOTSTRAP_SIGN_IN_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  GJM_BOOTSTRAP_WORKER_TOKEN: z
    .string()
    .regex(/^gjmw_.{32,}$/, 'must be gjmw_ and 32 or more characters')
    .optional(),
  GJM_EVENT_DAYS: integer(0, 36_500).default(30),
  GJM_SCRAP_DAYS: integer(0, 36_500).default(7),
  GJM_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});
type Variables = z.output<typeof serverVariables>;

/** Settings that can not be used: one message that lists every bad variable, for a person. */
export class EnvironmentError extends Error {}

/** Reads and checks all settings; throws one {@link EnvironmentError} that names every problem. An empty variable counts as unset. */
export function readEnvironment(
  variables: Record<string, string | undefined> = process.env,
): ServerEnvironment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const problems: string[] = [];
  const set = readSecretFiles(given, problems);
  const parsed = serverVariables.safeParse(set);
  if (!parsed.success) problems.push(...parsed.error.issues.map(describeIssue));
  // The rules between variables are looked at as far as the variables themselves are good.
  const timing = attempt(() => timingOf(set), problems);
  const fault = attempt(() => faultOf(set['GJM_FAULT'], set['GJM_DIAGNOSTIC_JOBS'] === '1'), problems);
  attempt(() => requirePassword(set['GJM_HOST'], set['REDIS_URL']), problems);
  const artifacts = parsed.success && attempt(() => artifactsOf(parsed.data), problems);
  if (!parsed.success || !artifacts || problems.length > 0 || timing === undefined || fault === undefined)
    throw new EnvironmentError(`These settings can not be used:\n  ${problems.join('\n  ')}`);
  return describeEnvironment(parsed.data, { timing, fault, artifacts });
}

const artifactsOf = (env: Variables): ArtifactSettings => describeArtifacts(env, resolve(env.GJM_DATA_DIR));

function describeEnvironment(
  env: Variables,
  described: Pick<ServerEnvironment, 'timing' | 'fault' | 'artifacts'>,
): ServerEnvironment {
  const isLoopback = isLoopbackHost(env.GJM_HOST);
  const registration = env.GJM_REGISTRATION ?? (isLoopback ? 'open' : 'invite');
  return {
    ...described,
    databaseUrl: env.DATABASE_URL,
    databasePool: env.GJM_DATABASE_POOL,
    redisUrl: env.REDIS_URL,
    workerRedisUrl: env.GJM_WORKER_REDIS_URL ?? env.REDIS_URL,
    redisPrefix: env.GJM_REDIS_PREFIX ?? null,
    secret: env.GJM_SECRET,
    host: env.GJM_HOST,
    port: env.GJM_PORT,
    isLoopback,
    isProxy: env.GJM_TRUST_PROXY,
    dataDir: resolve(env.GJM_DATA_DIR),
    webDir: resolve(env.GJM_WEB_DIR ?? builtWebDir),
    registration: registration === 'open' && !isLoopback ? 'invite' : registration,
    uploadBytes: env.GJM_UPLOAD_BYTES,
    logBytes: env.GJM_LOG_BYTES,
    accessTokenSeconds: env.GJM_ACCESS_TOKEN_SECONDS,
    loginFailures: env.GJM_LOGIN_FAILURES,
    diagnosticJobs: env.GJM_DIAGNOSTIC_JOBS === '1',
    programUsers: env.GJM_PROCESS_RUN,
    bootstrap: {
      invite: env.GJM_BOOTSTRAP_INVITE ?? null,
      signInToken: env.GJM_BOOTSTRAP_SIGN_IN_TOKEN ?? null,
      workerToken: env.GJM_BOOTSTRAP_WORKER_TOKEN ?? null,
    },
    eventDays: env.GJM_EVENT_DAYS,
    scrapDays: env.GJM_SCRAP_DAYS,
    logLevel: env.GJM_LOG_LEVEL,
  };
}

/** Where the dashboard is built to, seen from the compiled file and from the source alike. */
const builtWebDir = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../web/dist' : '../web/dist', import.meta.url),
);

/** Loopback is 127.0.0.0/8, ::1 and localhost. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

function timingOf(set: Record<string, string | undefined>): Timing {
  const read = (name: string) => {
    const value = set[name] === undefined ? undefined : Number(set[name]);
    return value !== undefined && Number.isFinite(value) ? value : undefined;
  };
  return resolveTiming({
    heartbeatMs: read('GJM_HEARTBEAT_MS'),
    leaseMs: read('GJM_LEASE_MS'),
    graceMs: read('GJM_GRACE_MS'),
    tickMs: read('GJM_TICK_MS'),
    dispatchMs: read('GJM_DISPATCH_MS'),
    orphanMs: read('GJM_ORPHAN_MS'),
  });
}

/** `<point>:exit` or `<point>:delay=<ms>`, and only where diagnostic jobs are allowed. */
function faultOf(text: string | undefined, isAllowed: boolean): Fault | null {
  if (text === undefined) return null;
  if (!isAllowed) throw new Error('GJM_FAULT: needs GJM_DIAGNOSTIC_JOBS=1');
  const [, point, action, delay] = /^([a-z-]+):(exit|delay=(\d{1,7}))$/.exec(text) ?? [];
  const known = faultPoints.find((name) => name === point);
  if (!known || !action)
    throw new Error(
      `GJM_FAULT: must be <point>:exit or <point>:delay=<ms>, points: ${faultPoints.join(' ')}`,
    );
  return { point: known, delayMs: delay === undefined ? null : Number(delay) };
}

function requirePassword(host = '127.0.0.1', redisUrl = ''): void {
  if (isLoopbackHost(host) || !URL.canParse(redisUrl) || new URL(redisUrl).password !== '') return;
  throw new Error(`REDIS_URL: needs a password when GJM_HOST (${host}) is not loopback`);
}

const describeIssue = (issue: z.core.$ZodIssue): string => {
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${issue.path.join('.')}: ${isMissing && issue.path[0] !== 'GJM_SECRET' ? 'is required' : issue.message}`;
};

function attempt<T>(work: () => T, problems: string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    problems.push((error as Error).message);
    return undefined;
  }
}
