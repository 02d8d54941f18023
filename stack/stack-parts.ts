import type { StackContext } from './context.js';
import { findFreePort } from './free-port.js';
import { planPostgres } from './postgres.js';
import { planRedis } from './redis.js';
import { makeSignInToken } from './secrets.js';
import { planServer } from './server-process.js';
import type { ServicePlan } from './service.js';
import type { ServiceSet } from './service-set.js';
import type { StackOptions } from './stack-options.js';
import { planWorker } from './worker-process.js';

/** How the parts of a started stack are reached. */
export interface StackLinks {
  urls: string[];
  databaseUrl: string;
  redisUrl: string;
  signInToken: string;
  ports: { server: number; postgres: number | null; redis: number | null };
  /** Folder of the embedded Postgres, null when `DATABASE_URL` is set. */
  postgresHome: string | null;
}

interface Stores {
  databaseUrl: string;
  redisUrl: string;
  workerRedisUrl: string | undefined;
  postgresPort: number | null;
  redisPort: number | null;
  postgresHome: string | null;
}

/**
 * Starts the stores, then servers and workers: a worker gets ready while its server does, and greets it as soon as
 * it listens. Fails with the first part that did not become ready; what else is starting then, a close ends.
 */
export async function startParts(
  context: StackContext,
  services: ServiceSet,
  options: StackOptions,
): Promise<StackLinks> {
  const stores = await startStores(context, services);
  const signInToken = makeSignInToken();
  const servers = await planServers(context, options, stores, signInToken);
  const urls = servers.map((plan) => plan.url);
  await Promise.all([startInTurn(servers, services), startWorkers(context, services, options, urls)]);
  return {
    urls,
    databaseUrl: stores.databaseUrl,
    redisUrl: stores.redisUrl,
    signInToken,
    ports: { server: context.environment.port, postgres: stores.postgresPort, redis: stores.redisPort },
    postgresHome: stores.postgresHome,
  };
}

/** Postgres and Redis at the same time; an address in the environment takes the place of ours. */
async function startStores(context: StackContext, services: ServiceSet): Promise<Stores> {
  const { databaseUrl, redisUrl } = context.environment;
  const [postgres, redis] = await settleAll([
    databaseUrl === undefined ? startPlan(planPostgres(context), services) : undefined,
    redisUrl === undefined ? startPlan(planRedis(context), services) : undefined,
  ] as const);
  return {
    databaseUrl: databaseUrl ?? postgres?.url ?? '',
    redisUrl: redisUrl ?? redis?.url ?? '',
    workerRedisUrl: redis?.publicUrl,
    postgresPort: postgres?.port ?? null,
    redisPort: redis?.port ?? null,
    postgresHome: postgres?.home ?? null,
  };
}

async function planServers(
  context: StackContext,
  options: StackOptions,
  stores: Stores,
  signInToken: string,
): Promise<ReturnType<typeof planServer>[]> {
  const { host, port } = context.environment;
  const plans = [];
  for (const [index, name] of numbered('server', options.servers ?? 1).entries()) {
    const plan = planServer(context, {
      name,
      port: index === 0 ? port : await findFreePort(host),
      databaseUrl: stores.databaseUrl,
      redisUrl: stores.redisUrl,
      workerRedisUrl: stores.workerRedisUrl,
      signInToken: index === 0 ? signInToken : undefined,
      env: { ...diagnostic(options), ...options.env, ...options.serverEnv },
    });
    plans.push(plan);
  }
  return plans;
}

async function startInTurn(plans: readonly ServicePlan[], services: ServiceSet): Promise<void> {
  for (const plan of plans) await services.start(plan);
}

async function startWorkers(
  context: StackContext,
  services: ServiceSet,
  options: StackOptions,
  urls: readonly string[],
): Promise<void> {
  const count = urls.length === 0 ? 0 : (options.workers ?? 1);
  const plans = numbered('worker', count).map((name, index) =>
    planWorker(context, {
      name,
      serverUrl: urls[index % urls.length] as string,
      cpuSlots: options.cpuSlots,
      env: { ...diagnostic(options), ...options.env, ...options.workerEnv },
    }),
  );
  await Promise.all(plans.map((plan) => services.start(plan)));
}

async function startPlan<P extends ServicePlan>(planning: Promise<P>, services: ServiceSet): Promise<P> {
  const plan = await planning;
  await services.start(plan);
  return plan;
}

/** Like Promise.all, but a failure waits for the others: nothing goes on starting behind a stop. */
async function settleAll<T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

function diagnostic(options: StackOptions): Record<string, string> {
  return options.diagnosticJobs ? { GJM_DIAGNOSTIC_JOBS: '1' } : {};
}

/** `server`, `server-2`, `server-3`, … */
function numbered(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? kind : `${kind}-${index + 1}`));
}
