import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './child.js';
import { cloneRoot } from './clone.js';
import type { StackContext } from './context.js';
import type { EnvironmentVariables } from './environment.js';
import { describeEnd } from './last-words.js';
import { StackProblem } from './problem.js';
import type { ServicePlan } from './service.js';
import { until } from './until.js';

/** Engine self-tests run before the first hello. */
const READY_MS = 120_000;

/** A worker is given a server address and a token, and none of these secrets of the server. */
const SERVER_ONLY =
  /^(DATABASE_URL|REDIS_URL|GJM_SECRET|GJM_ARTIFACT_\w+|GJM_S3_\w+|GJM_BOOTSTRAP_\w+|AWS_\w+)(_FILE)?$/;

/** What one worker is told beside the settings of the stack. */
export interface WorkerOptions {
  /** `worker`, `worker-2`, …: names its folder below the data folder, log and pid file. */
  name: string;
  serverUrl: string;
  /** Slots of the CPU; undefined leaves the worker's own default. */
  cpuSlots: number | undefined;
  /** Laid over everything else. */
  env: EnvironmentVariables;
}

/** How to start one worker until the server has answered its hello. */
export function planWorker(context: StackContext, options: WorkerOptions): ServicePlan {
  const { graceMs, drainMs } = context.environment;
  return {
    name: options.name,
    async start(again, spawned) {
      const child = await startChild(
        {
          name: options.name,
          command: process.execPath,
          args: [
            '--enable-source-maps',
            join(cloneRoot, 'worker', 'dist', 'index.js'),
            '--server',
            options.serverUrl,
          ],
          env: describeWorkerEnvironment(context, options, again),
          cwd: cloneRoot,
          stopSteps: [{ signal: 'SIGTERM', waitMs: graceMs + drainMs + 20_000 }],
        },
        context.folder,
      );
      spawned(child);
      try {
        await until(() => isOnline(child), {
          limitMs: READY_MS,
          what: 'The worker was not online',
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

function describeWorkerEnvironment(
  { environment, folder, secrets }: StackContext,
  options: WorkerOptions,
  again: boolean,
): EnvironmentVariables {
  const env: EnvironmentVariables = { ...environment.inherited };
  for (const name of Object.keys(env)) if (SERVER_ONLY.test(name)) delete env[name];
  const number = /-\d+$/.exec(options.name)?.[0]; // `worker-2` gets a label of its own
  if (number !== undefined) env.GJM_WORKER_NAME = (env.GJM_WORKER_NAME || hostname()) + number;
  Object.assign(env, {
    GJM_WORKER_TOKEN: environment.workerToken ?? secrets.workerToken,
    GJM_DATA_DIR: join(folder.path, options.name),
    GJM_CPU_SLOTS: options.cpuSlots?.toString() ?? env.GJM_CPU_SLOTS,
    ...options.env,
  });
  if (again) delete env.GJM_FAULT; // a fault fires once
  return env;
}

/** True once the worker has logged that the server answered its hello. */
function isOnline(child: Child): boolean {
  if (child.exit !== undefined) throw new StackProblem(describeEnd(child));
  return child.output().includes('"msg":"worker ready"');
}
