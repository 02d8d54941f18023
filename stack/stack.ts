import { rm } from 'node:fs/promises';
import type { StackContext } from './context.js';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { type StackEnvironment, readEnvironment } from './environment.js';
import { type FolderLock, takeFolderLock } from './folder-lock.js';
import { claimPort } from './free-port.js';
import { endLeftovers } from './leftovers.js';
import { postgresHomeOf } from './postgres-place.js';
import { StackProblem } from './problem.js';
import { readIdentity } from './process-identity.js';
import { type StackSecrets, openSecrets } from './secrets.js';
import { ServiceSet } from './service-set.js';
import { readStackFile, removeStackFile, writeStackFile } from './stack-file.js';
import type { Stack, StackOptions } from './stack-options.js';
import { type StackLinks, startParts } from './stack-parts.js';

export type { Stack, StackOptions } from './stack-options.js';

/**
 * Starts Postgres, Redis, servers and workers of one data folder and settles when all are ready: `/readyz`
 * answers 200 and each worker is online. What a crashed stack left running is ended first. Fails with a
 * {@link StackProblem} (a busy port, a folder in use, a part that did not start) and has stopped everything then.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const environment = readEnvironment();
  environment.dataDir = options.dataDir ?? environment.dataDir;
  environment.port = options.port ?? environment.port;
  const folder = await openDataFolder(environment.dataDir);
  const lock = await takeFolderLock(folder.path);
  if (lock === undefined) throw await describeHolder(folder);
  const stack = new OneBoxStack(folder, lock, options);
  try {
    await stack.open(environment);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}

async function describeHolder(folder: DataFolder): Promise<StackProblem> {
  const holder = await readStackFile(folder.path);
  const who = holder
    ? `A stack (pid ${holder.owner.pid}, ${holder.url}) runs`
    : 'Another start or stop is under way';
  return new StackProblem(
    `${who} on the data folder ${folder.path}: stop it first, or set GJM_DATA_DIR to another.`,
  );
}

class OneBoxStack implements Stack {
  readonly #services: ServiceSet;
  readonly #stopped = new AbortController();
  #context!: StackContext;
  #links!: StackLinks;
  #ready = false;
  #noting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(
    readonly folder: DataFolder,
    readonly lock: FolderLock,
    readonly options: StackOptions,
  ) {
    this.#services = new ServiceSet({
      keepAlive: options.keepAlive ?? false,
      say: (line) => options.say?.(line),
      started: () => this.#noteDown(),
    });
    const stop = () => this.#stopped.abort();
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    options.force?.addEventListener('abort', () => this.#services.destroy(), { once: true });
    this.#stopped.signal.addEventListener('abort', () => void this.#services.close(), { once: true });
  }

  /** Ends leftovers, then starts every part. */
  async open(environment: StackEnvironment): Promise<void> {
    await endLeftovers(this.folder);
    this.#context = {
      environment: { ...environment, port: await claimPort(environment.host, environment.port) },
      folder: this.folder,
      secrets: await openSecrets(this.folder),
      signal: this.#stopped.signal,
      say: (line) => this.options.say?.(line),
    };
    this.#links = await startParts(this.#context, this.#services, this.options);
    this.#ready = true;
    this.#noteDown();
    await this.#noting;
  }

  get url(): string {
    return this.#links.urls[0] ?? '';
  }
  get urls(): readonly string[] {
    return this.#links.urls;
  }
  get databaseUrl(): string {
    return this.#links.databaseUrl;
  }
  get redisUrl(): string {
    return this.#links.redisUrl;
  }
  get signInToken(): string {
    return this.#links.signInToken;
  }
  get secrets(): StackSecrets {
    return this.#context.secrets;
  }
  get dataDir(): string {
    return this.folder.path;
  }

  pids(): Record<string, number> {
    return this.#services.pids();
  }
  start(name: string): Promise<void> {
    return this.#services.get(name).start();
  }
  stop(name: string): Promise<void> {
    return this.#services.get(name).stop();
  }
  restart(name: string): Promise<void> {
    return this.#services.get(name).restart();
  }
  kill(name: string, signal: NodeJS.Signals): void {
    this.#services.get(name).kill(signal);
  }
  ended(name: string): Promise<void> {
    return this.#services.get(name).ended();
  }
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#stopped.abort();
    await this.#services.close();
    await this.#noting;
    await removeStackFile(this.folder);
    if (this.options.disposable) {
      for (const path of [this.folder.path, postgresHomeOf(this.folder)]) {
        await rm(path, { recursive: true, force: true });
      }
    }
    await this.lock.release();
  }

  /** Writes stack.json once the stack is ready and after each restart of a part. */
  #noteDown(): void {
    if (!this.#ready || this.#closing !== undefined) return;
    this.#noting = this.#noting
      .then(() => this.#writeFile())
      .catch((error: unknown) => {
        this.options.say?.(`stack.json could not be written: ${String(error)}`);
      });
  }

  async #writeFile(): Promise<void> {
    const owner = readIdentity(process.pid);
    if (owner === undefined) throw new StackProblem('The one-box stack runs on Linux, with /proc.');
    const { environment } = this.#context;
    await writeStackFile(this.folder, {
      url: this.url,
      owner,
      pids: this.pids(),
      ports: this.#links.ports,
      folders: {
        data: this.folder.path,
        artifacts: environment.artifactDir ?? this.folder.artifacts,
        logs: this.folder.logs,
        postgres: this.#links.postgresHome,
      },
    });
  }
}
