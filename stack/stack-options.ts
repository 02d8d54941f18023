import type { DataFolder } from './data-folder.js';
import type { EnvironmentVariables } from './environment.js';
import type { StackSecrets } from './secrets.js';

/** How a stack differs from what the environment says; everything may be left out. */
export interface StackOptions {
  /** Default: `GJM_DATA_DIR`, else `.gjm` in the clone. */
  dataDir?: string;
  /** 0 = any free port. */
  port?: number;
  /** Variables laid over the environment of every server and every worker. */
  env?: EnvironmentVariables;
  serverEnv?: EnvironmentVariables;
  workerEnv?: EnvironmentVariables;
  /** Slots the CPU of each worker offers. */
  cpuSlots?: number;
  /** Replicas; the first is `server`, more are `server-2`, … on free ports. 0 = services only. */
  servers?: number;
  workers?: number;
  /** Allows the kind `diagnostic`. */
  diagnosticJobs?: boolean;
  /** Start again what ends by itself. */
  keepAlive?: boolean;
  /** Removes the data folder, and what root keeps elsewhere for it, on close: for tests. */
  disposable?: boolean;
  /** Aborting it stops the start, or the running stack. */
  signal?: AbortSignal;
  /** Aborting it kills everything at once. */
  force?: AbortSignal;
  /** Told one line about slow or unusual things; default: nothing. */
  say?: (line: string) => void;
}

/** A running stack. */
export interface Stack {
  readonly url: string;
  /** One address for each server. */
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secrets: StackSecrets;
  /** Redeems once, within 10 minutes of the start. */
  readonly signInToken: string;
  readonly dataDir: string;
  readonly folder: DataFolder;
  /** Pid of each running part by name: postgres, redis, server, server-2, worker, … */
  pids(): Record<string, number>;
  start(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  /** Stops a part and starts it again, until it is ready; on the same port, with the same data. */
  restart(name: string): Promise<void>;
  /** Sends one signal to one part and settles at once. */
  kill(name: string, signal: NodeJS.Signals): void;
  /** Settles when the process that is this part now has ended. */
  ended(name: string): Promise<void>;
  /** Stops workers, servers, Redis and Postgres in this order. Idempotent. */
  close(): Promise<void>;
}
