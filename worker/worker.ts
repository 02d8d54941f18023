import { fileURLToPath } from 'node:url';
import { workerApiVersion, type HeartbeatAnswer, type HelloAnswer } from '@gjm/core/wire/worker-api.js';
import { Control } from './control.js';
import { NvidiaSmi } from './device/nvidia-smi.js';
import { probeDevices } from './device/probe.js';
import type { Environment } from './environment.js';
import { ProgramHost } from './containment/program-host.js';
import { CanNotContain } from './containment/run-users.js';
import type { ProgramSettings } from './containment/settings.js';
import { makeFaultPoint } from './fault-point.js';
import { Fleet } from './fleet.js';
import { Heartbeat } from './heartbeat.js';
import { makeBootId, openFolders, openInstanceId, type WorkerFolders } from './instance/identity.js';
import { emptyScratch, endLeftovers } from './instance/leftovers.js';
import { takeFolderLock, type FolderLock } from './instance/lock.js';
import { SignOfLife } from './instance/sign-of-life.js';
import type { LinkError } from './link/link-error.js';
import { untilAnswered } from './link/retry.js';
import type { Logger } from './logger.js';
import { RunningClock } from './running-clock.js';
import { ServerLink } from './server-link.js';
import { LivingAttempts } from './slot/living-attempts.js';
import { QueueConsumer } from './slot/queue-consumer.js';
import { takeMessage, type MessageContext } from './slot/take-message.js';
import { defer, within } from './wait.js';

const version = '0.1.0';
/** Closing a slot's queue, Redis gone or not, in ms. */
const queueCloseMs = 2_000;
/** What the end of an attempt needs beyond its grace (signals, last reports, finish), in ms. */
const settleMs = 5_000;

/** A sentence for people; the worker can not go on and repeating would not help. */
export class WorkerRefused extends Error {}

export interface WorkerOptions {
  environment: Environment;
  log: Logger;
  /** The runner's main module; by default the one compiled beside this file. */
  runnerModule?: string;
}

/**
 * A running worker: one machine's slots, offered to one server. `startWorker` makes it; `close` ends it. It holds no job data but that of
 * its living attempts, and keeps nothing that could not be lost.
 */
export class Worker {
  /** Settles with a sentence when the worker can not go on: the server refuses it. */
  readonly refused: Promise<string>;
  readonly #refused = defer<string>();
  readonly #options: WorkerOptions;
  readonly #lock: FolderLock;
  readonly #folders: WorkerFolders;
  readonly #instanceId: string;
  readonly #sign: SignOfLife;
  readonly #bootId = makeBootId();
  readonly #clock = new RunningClock();
  readonly #link: ServerLink;
  readonly #attempts = new LivingAttempts();
  readonly #waiting = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #programs: ProgramHost | null;
  readonly #fleet: Fleet;
  #hello: HelloAnswer | null = null;
  #isGreeting = false;
  #saidDevices = '';
  #heartbeat: Heartbeat | null = null;
  #control: Control | null = null;
  readonly #consumers = new Map<string, QueueConsumer>();
  #messages: MessageContext | null = null;
  #closing: Promise<'clean' | 'forced'> | null = null;

  constructor(options: WorkerOptions) {
    const { environment, log } = options;
    this.#options = options;
    this.refused = this.#refused.promise;
    this.#folders = openFolders(environment.dataDir);
    const lock = takeFolderLock(environment.dataDir);
    if (!lock)
      throw new WorkerRefused(
        `Another worker runs with the data folder ${environment.dataDir}. Give this one its own: GJM_DATA_DIR.`,
      );
    this.#lock = lock;
    this.#instanceId = openInstanceId(environment.dataDir);
    this.#sign = new SignOfLife(this.#folders.root);
    this.#link = new ServerLink(environment.server, environment.token);
    this.#programs = environment.programs && this.#openPrograms(environment.programs);
    this.#fleet = new Fleet({
      probe: () => {
        const { cpuSlots, childEnv: env, allowSoftwareGpu: allowSoftware } = environment;
        return probeDevices({ cpuSlots, instanceId: this.#instanceId, env, allowSoftware, log });
      },
      gpus:
        environment.nvidiaSmi === null
          ? null
          : {
              smi: new NvidiaSmi(environment.nvidiaSmi, environment.childEnv),
              probeMs: environment.probeMs,
              foreignBytes: environment.foreignBytes,
              diagnosticEngine: environment.diagnosticGpuEngine,
            },
      programs: this.#programs,
      runnerModule: options.runnerModule ?? fileURLToPath(new URL('./child/runner.js', import.meta.url)),
      childEnv: environment.childEnv,
      instanceId: this.#instanceId,
      runFolder: this.#folders.run,
      onChange: () => this.#devicesChanged(),
      log,
    });
  }

  /** Resolves when the server knows this worker and its queues are read; rejects with WorkerRefused when it is not wanted. */
  async start(): Promise<void> {
    const { log } = this.#options;
    this.#sign.start();
    const leftovers = await endLeftovers(this.#folders, this.#instanceId);
    if (leftovers.ended > 0 || leftovers.alive.length > 0)
      log.warn(leftovers, 'leftovers of an earlier life');
    if (leftovers.alive.length > 0 || (await this.#programs?.endLeftovers()) === false)
      throw new WorkerRefused('Processes of an earlier life of this worker can not be ended.');
    await this.#fleet.start();
    await this.#fleet.firstWord();
    await this.#greet();
    if (!this.#hello || this.#stopping.signal.aborted) return;
    this.#open(this.#hello);
    log.info({ workerId: this.#hello.workerId, slots: this.#hello.slots.length }, 'worker ready');
  }

  /**
   * Stops in order: claims nothing more, lets attempts finish (`drainMs`) or releases them, ends all children, tells the server. `forced`
   * when something did not end, or the server did not hear of it, within the limits.
   */
  close(): Promise<'clean' | 'forced'> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** The longest a `close` can take, in ms. */
  get closeLimitMs(): number {
    const graceMs = this.#hello?.graceMs ?? 0;
    return this.#options.environment.drainMs + graceMs + 3 * settleMs + queueCloseMs;
  }

  /** Ends every child at once and waits for nothing. For a second signal. */
  killAll(): void {
    this.#fleet.killAll();
  }

  #openPrograms(settings: ProgramSettings): ProgramHost {
    const { environment, log } = this.#options;
    try {
      const { dataDir, childEnv } = environment;
      const { GJM_PACKAGES_DIR: _, HOME: __, ...variables } = childEnv;
      const host = new ProgramHost({ settings, dataDir, instanceId: this.#instanceId, variables, log });
      log.info(host.description);
      return host;
    } catch (error) {
      this.#lock.release();
      if (error instanceof CanNotContain) throw new WorkerRefused(error.message, { cause: error });
      throw error;
    }
  }

  async #greet(): Promise<void> {
    const { environment, log } = this.#options;
    const { signal } = this.#stopping;
    this.#saidDevices = this.#enginesNow();
    const request = {
      apiVersion: workerApiVersion,
      instanceId: this.#instanceId,
      bootId: this.#bootId,
      name: environment.name,
      version,
      devices: this.#fleet.reports(),
      engineAudit: this.#fleet.audit(),
    } as const;
    let isTold = false;
    const onRetry = (error: Error) => {
      if (!isTold)
        log.warn({ err: error, server: environment.server }, 'the server can not be reached; trying again');
      isTold = true;
    };
    try {
      this.#hello = await untilAnswered(() => this.#link.hello(request), { signal, onRetry });
      this.#sign.answered(this.#hello.heartbeatMs);
    } catch (error) {
      if (signal.aborted) return;
      throw new WorkerRefused(refusalSentence(error as LinkError), { cause: error });
    }
  }

  #open(hello: HelloAnswer): void {
    const { environment, log } = this.#options;
    const onForbidden = (error: LinkError) => this.#refused.resolve(refusalSentence(error));
    const heartbeat = new Heartbeat({
      send: (body, timeoutMs) => this.#link.heartbeat(body, timeoutMs),
      body: () => ({
        workerId: this.#hello?.workerId ?? hello.workerId,
        bootId: this.#bootId,
        attempts: this.#attempts.list(),
        waiting: [...this.#waiting],
        devices: this.#fleet.health(),
        draining: this.#stopping.signal.aborted,
      }),
      everyMs: hello.heartbeatMs,
      timeoutMs: Math.max(1_000, hello.leaseMs / 2),
      orphanMs: hello.orphanMs,
      clock: this.#clock,
      onAnswer: (answer) => {
        this.#sign.answered(hello.heartbeatMs);
        this.#obey(answer);
      },
      onOrphaned: () => this.#becomeOrphan(),
      onForbidden,
      onUnknown: () => this.#greetAgain(),
      log,
    });
    const hear = () => heartbeat.beat();
    this.#heartbeat = heartbeat;
    this.#clock.onWake(() => void hear().catch(() => undefined));
    heartbeat.start();
    const bootId = this.#bootId;
    const control = new Control({
      wait: (signal) =>
        this.#link.wait({ workerId: this.#hello?.workerId ?? hello.workerId, bootId }, signal),
      ...{ hear, onForbidden },
    });
    this.#control = control;
    control.start();
    this.#messages = {
      workerId: () => this.#hello?.workerId ?? hello.workerId,
      link: this.#link,
      clock: this.#clock,
      attempts: this.#attempts,
      waiting: this.#waiting,
      useDevices: (uids) => this.#fleet.use(uids),
      placeFor: (slot, warm, claim) => this.#fleet.placeFor(slot, warm, claim),
      scratch: this.#folders.scratch,
      hear,
      pokedAtMs: () => control.pokedAtMs,
      addProbe: (probeId) => heartbeat.addProbe(probeId),
      stopping: this.#stopping.signal,
      onForbidden,
      afterPop: makeFaultPoint(environment.fault),
      log,
    };
    this.#consume();
    // A device may have come since the first hello.
    if (this.#enginesNow() !== this.#saidDevices) this.#greetAgain();
  }

  /** Reads the queue of each slot that has one by the last hello and is not read yet. */
  #consume(): void {
    const [hello, context] = [this.#hello, this.#messages];
    if (!hello || !context || this.#stopping.signal.aborted) return;
    const { environment, log } = this.#options;
    const redis = { url: environment.redisUrl ?? hello.redis.url, prefix: hello.redis.prefix };
    for (const { uid, index, queueName } of hello.slots) {
      const slot = this.#fleet.find(uid, index);
      // Without a slot: one that this machine no longer has.
      if (!slot || this.#consumers.has(queueName)) continue;
      const handle = (data: unknown) => takeMessage(context, slot, data);
      const consumer = new QueueConsumer({ queueName, redis, handle, log });
      this.#consumers.set(queueName, consumer);
      consumer.start();
    }
  }

  #obey({ cancel, lost }: HeartbeatAnswer): void {
    this.#attempts.stop(lost, 'lost');
    this.#attempts.stop(cancel, 'cancel');
    this.#fleet.unpark();
  }

  #becomeOrphan(): void {
    if (this.#attempts.size > 0)
      this.#options.log.error('no beat was answered for too long: all children are ended');
    this.#attempts.stopAll('lost');
    this.#fleet.park('the server has been silent for too long');
  }

  #devicesChanged(): void {
    if (!this.#heartbeat) return;
    if (this.#enginesNow() !== this.#saidDevices) this.#greetAgain();
    else void this.#heartbeat.beat().catch(() => undefined);
  }

  /** A hello of the same life: the server lost our row, a device is new, or has an engine now that it had not before. */
  #greetAgain(): void {
    if (this.#stopping.signal.aborted || this.#isGreeting) return;
    this.#isGreeting = true;
    void this.#greet()
      .then(() => this.#consume())
      .catch((error: unknown) => this.#refused.resolve((error as Error).message))
      .finally(() => {
        this.#isGreeting = false;
        // What came while it was under way is not in it.
        if (this.#enginesNow() !== this.#saidDevices) this.#greetAgain();
      });
  }

  #enginesNow(): string {
    return JSON.stringify(this.#fleet.reports().map(({ uid, engines }) => [uid, engines]));
  }

  async #shutDown(): Promise<'clean' | 'forced'> {
    const { environment, log } = this.#options;
    const graceMs = this.#hello?.graceMs ?? 0;
    this.#stopping.abort();
    const lastBeat = this.#heartbeat?.beat().catch(() => undefined);
    await Promise.all([
      within(lastBeat ?? Promise.resolve(), 1_000, undefined),
      ...[...this.#consumers.values()].map((consumer) => consumer.close(queueCloseMs)),
    ]);
    if (environment.drainMs > 0) await within(this.#attempts.whenEmpty(), environment.drainMs, undefined);
    // No attempt shall wait for files now: the next life removes them.
    this.#programs?.stopRemoving();
    this.#attempts.stopAll('release');
    const ended = this.#attempts.whenEmpty().then(() => true);
    let isClean = await within(ended, graceMs + settleMs, false);
    if (!isClean) {
      log.warn({ attempts: this.#attempts.size }, 'attempts did not end in time');
      this.#attempts.abandonAll();
      await within(ended, settleMs, false);
    }
    isClean =
      (await within(
        this.#fleet.close().then(() => true),
        settleMs,
        false,
      )) && isClean;
    this.#heartbeat?.close();
    this.#control?.close();
    this.#link.close();
    this.#clock.close();
    emptyScratch(this.#folders.scratch);
    this.#programs?.close();
    this.#sign.close();
    this.#lock.release();
    return isClean ? 'clean' : 'forced';
  }
}

/** Starts a worker; on failure everything already started is released. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new Worker(options);
  try {
    await worker.start();
    return worker;
  } catch (error) {
    await worker.close();
    throw error;
  }
}

function refusalSentence(error: LinkError): string {
  if (error.status === 401 || error.status === 403)
    return `The server does not accept this worker's token. ${error.message}`;
  if (error.status === 409)
    return `The server refuses this worker: its data folder is in use by another one. ${error.message}`;
  return `The server refuses this worker. ${error.message}`;
}
