import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { EngineAudit, FromRunner, ToRunner } from '@gjm/core/wire/ipc.js';
import { EngineFault, type Engine } from '../engines/engine.js';
import {
  type Workload,
  type WorkloadContext,
  WorkloadFailure,
  WorkloadStopped,
} from '../workloads/define.js';
import type { Channel } from './channel.js';
import { failureFrom } from './failure.js';
import type { OutputMeter } from './output-meter.js';
import { createReporter, type Reporter } from './reporter.js';

type Start = Extract<ToRunner, { type: 'start' }>;
type EndMessage = Extract<FromRunner, { type: 'done' | 'failed' | 'stopped' }>;
type Outcome =
  | Pick<Extract<EndMessage, { type: 'done' }>, 'type' | 'engine' | 'outputs'>
  | Pick<Extract<EndMessage, { type: 'failed' }>, 'type' | 'code' | 'message' | 'broken'>
  | Pick<Extract<EndMessage, { type: 'stopped' }>, 'type'>;

/** What all attempts of a runner share. */
export interface RunnerParts {
  engine: Engine;
  registry: ReadonlyMap<string, Workload>;
  /** Tensors that live and that no warm model owns. */
  countTensors: () => number;
  channel: Channel;
  meter: OutputMeter;
}

/** What a runner computes with, or null when nothing works here, and what was tried. */
export interface OpenedParts {
  parts: Omit<RunnerParts, 'channel' | 'meter'> | null;
  audit: EngineAudit[];
}

/** One attempt under way. */
export interface Attempt {
  stop(): void;
  /** Ends it from outside: a fault that no workload code was there to catch. */
  crash(error: unknown): void;
  /** Resolves, when both pipes have taken all output, with the one message that ends the attempt; it is still to be sent. */
  readonly ended: Promise<AttemptEnd>;
}

/** `broken`: the process must not take another attempt. */
interface AttemptEnd {
  message: EndMessage;
  broken: boolean;
}

/** Starts an attempt. Whatever happens, its `ended` resolves, unless the supervisor stops reading the pipes. */
export function startAttempt(start: Start, parts: RunnerParts): Attempt {
  const reporter = createReporter((message) => {
    parts.channel.send(message);
  });
  const stop = { asked: false };
  const tensorsBefore = parts.countTensors();
  const faults = new EventEmitter<{ fault: [UncaughtFault] }>();
  let crashed = false;
  const run = async (): Promise<AttemptEnd> => {
    const work = Promise.race([perform(start, parts, reporter, stop), rejectOnFault(faults)]);
    const outcome = await settle(work, parts.engine);
    reporter.flush();
    await parts.meter.drained();
    const leftovers = { tensors: parts.countTensors() - tensorsBefore, rssBytes: process.memoryUsage.rss() };
    const message = { ...outcome, written: parts.meter.written(), leftovers };
    return { message, broken: crashed || (outcome.type === 'failed' && outcome.broken) };
  };
  return {
    stop() {
      stop.asked = true;
    },
    crash(error) {
      crashed = true;
      faults.emit('fault', new UncaughtFault(error));
    },
    ended: run(),
  };
}

/** A fault that came past the workload's own promise: whatever it left half done, this process must not be used again. */
class UncaughtFault extends Error {
  constructor(readonly fault: unknown) {
    super('uncaught', { cause: fault });
  }
}

function rejectOnFault(faults: EventEmitter<{ fault: [UncaughtFault] }>): Promise<never> {
  return new Promise((_, reject) => {
    faults.once('fault', reject);
  });
}

async function settle(work: Promise<Outcome>, engine: Engine): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WorkloadStopped) return { type: 'stopped' };
    // A device's own words come first: what they lead to may have none.
    const ofDevice = await engine.faults?.settled();
    const fault = ofDevice ?? (error instanceof UncaughtFault ? error.fault : error);
    const failure = failureFrom(fault, engine);
    // The stack is for whoever wrote the workload, who reads the log; the message is for the user.
    if (!(fault instanceof WorkloadFailure)) console.error(fault);
    return { type: 'failed', ...failure, broken: failure.broken || error instanceof UncaughtFault };
  }
}

async function perform(
  start: Start,
  parts: RunnerParts,
  reporter: Reporter,
  stop: { asked: boolean },
): Promise<Outcome> {
  const workload = parts.registry.get(start.kind);
  if (!workload)
    throw new WorkloadFailure('NO_ENGINE', `This worker has no code for the kind ${start.kind}.`);
  if (start.tier !== null && !workload.kind.tiers.some(({ name }) => name === start.tier)) {
    throw new WorkloadFailure(
      'NO_ENGINE',
      `This worker has no tier ${start.tier} of the kind ${start.kind}.`,
    );
  }
  const context: WorkloadContext<unknown> = {
    params: parseParams(workload, start),
    inputs: start.inputs,
    outputDir: start.outputDir,
    checkpointDir: start.checkpointDir,
    resumeFrom: start.resumeFrom,
    traceparent: start.traceparent,
    tier: start.tier,
    engine: parts.engine,
    stopRequested: () => stop.asked,
    stopIfAsked() {
      if (stop.asked) throw new WorkloadStopped();
    },
    async yieldNow() {
      reporter.beat();
      await turn();
    },
    progress: reporter.progress,
    metric: reporter.metric,
    checkpoint({ name, path, mediaType }) {
      // Whoever goes on from it never says again what came before it.
      reporter.flush();
      parts.channel.send({ type: 'checkpoint', name, path, mediaType });
    },
    print: (output) => parts.meter.print(typeof output === 'string' ? `${output}\n` : output),
  };
  const outputs = await workload.run(context);
  const fault = await parts.engine.faults?.settled();
  if (fault) throw fault;
  const used = parts.engine.inUse();
  // Whoever was promised a GPU never gets what a CPU made of it: the device is at fault, and another one may do.
  if (used !== parts.engine.name)
    throw new EngineFault('DEVICE_LOST', `It was computed with ${used} instead of ${parts.engine.name}.`);
  return { type: 'done', engine: used, outputs };
}

/**
 * The server has coerced them already; parsing again gives them their type and shows a worker of another version. A file's id stays with the
 * server, so an empty one stands in for it.
 */
function parseParams(workload: Workload, start: Start): unknown {
  const ids: Record<string, '' | ''[]> = {};
  for (const name of Object.keys(start.inputs)) {
    const [field = name, place] = name.split('.');
    if (place === undefined) ids[field] = '';
    else ids[field] = [...(ids[field] ?? []), ''] as ''[];
  }
  const parsed = workload.kind.params.safeParse({ ...ids, ...start.params });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new WorkloadFailure('INVALID_INPUT', `The params do not fit ${start.kind}: ${problems.join('; ')}`);
}
