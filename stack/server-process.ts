import { join } from 'node:path';
import { formatUrl } from './address.js';
import { type Child, startChild } from './child.js';
import { cloneRoot } from './clone.js';
import type { StackContext } from './context.js';
import type { EnvironmentVariables } from './environment.js';
import { describeEnd } from './last-words.js';
import { StackProblem } from './problem.js';
import type { ServicePlan } from './service.js';
import { until } from './until.js';

/** Migrations of a large installation run before the server is ready. */
const READY_MS = 120_000;

/** What one server is told beside the settings of the stack. */
export interface ServerOptions {
  /** `server`, `server-2`, …: names log and pid file. */
  name: string;
  port: number;
  databaseUrl: string;
  redisUrl: string;
  /** What workers of other machines are told to connect to; undefined for the same address. */
  workerRedisUrl?: string | undefined;
  /** A one-time sign-in link the server accepts for 10 minutes after its first start. */
  signInToken: string | undefined;
  /** Laid over everything else. */
  env: EnvironmentVariables;
}

/** How to start one server until `/readyz` answers 200. Its failure carries the server's own last words. */
export function planServer(context: StackContext, options: ServerOptions): ServicePlan & { url: string } {
  const url = formatUrl(context.environment.host, options.port);
  return {
    name: options.name,
    url,
    async start(again, spawned) {
      const child = await startChild(
        {
          name: options.name,
          command: process.execPath,
          args: ['--enable-source-maps', join(cloneRoot, 'server', 'dist', 'index.js')],
          env: describeServerEnvironment(context, options, again),
          cwd: cloneRoot,
          stopSteps: [{ signal: 'SIGTERM', waitMs: 15_000 }],
        },
        context.folder,
      );
      spawned(child);
      try {
        await until(() => isReady(child, url), {
          limitMs: READY_MS,
          what: 'The server was not ready',
          signal: context.signal,
        });
        return child;
      } catch (error) {
        await child.stop();
        throw error;
      }
    },
  };
}

function describeServerEnvironment(
  { environment, folder, secrets }: StackContext,
  options: ServerOptions,
  again: boolean,
): EnvironmentVariables {
  const env: EnvironmentVariables = {
    ...environment.inherited,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    GJM_WORKER_REDIS_URL: environment.inherited.GJM_WORKER_REDIS_URL || options.workerRedisUrl,
    GJM_SECRET: environment.secret ?? secrets.serverKey,
    GJM_HOST: environment.host,
    GJM_PORT: String(options.port),
    GJM_DATA_DIR: folder.path,
    GJM_ARTIFACT_DIR: environment.artifactDir ?? folder.artifacts,
    GJM_WEB_DIR: join(cloneRoot, 'web', 'dist'),
    GJM_BOOTSTRAP_WORKER_TOKEN: environment.workerToken ?? secrets.workerToken,
    GJM_BOOTSTRAP_SIGN_IN_TOKEN: options.signInToken,
    ...options.env,
  };
  // A fault fires once, and a one-time link is not offered a second time: a restart drops both.
  return again ? { ...env, GJM_FAULT: undefined, GJM_BOOTSTRAP_SIGN_IN_TOKEN: undefined } : env;
}

async function isReady(child: Child, url: string): Promise<boolean> {
  if (child.exit !== undefined) throw new StackProblem(describeEnd(child));
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false; // it does not listen yet
  }
}
