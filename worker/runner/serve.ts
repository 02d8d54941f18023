import type { ToRunner } from '@gjm/core/wire/ipc.js';
import { type Attempt, type OpenedParts, type RunnerParts, startAttempt } from './attempt.js';
import type { Channel } from './channel.js';
import type { RunnerEnvironment } from './environment.js';
import { watchForOrphanhood } from './orphan-watch.js';
import type { OutputMeter } from './output-meter.js';

/** Chooses the engine, says `ready` or `unusable`, then serves one attempt at a time until the process ends. */
export async function serve(
  environment: RunnerEnvironment,
  channel: Channel,
  meter: OutputMeter,
  registry?: RunnerParts['registry'],
): Promise<void> {
  const { parts, audit } = await openParts(environment, registry);
  if (!parts) {
    await channel.sendAndFlush({ type: 'unusable', audit });
    await exit(meter, 3);
    return;
  }
  serveAttempts({ ...parts, channel, meter });
  channel.send({ type: 'ready', engine: parts.engine.name, audit, rssBytes: process.memoryUsage.rss() });
  watchForOrphanhood();
}

/** A runner for a program never loads TensorFlow, which would take memory of the device. */
async function openParts(
  environment: RunnerEnvironment,
  registry?: RunnerParts['registry'],
): Promise<OpenedParts> {
  if (environment.program) return (await import('./program-parts.js')).openProgram(environment.program);
  return (await import('./engine-parts.js')).openEngine(environment.engines, registry);
}

function serveAttempts(parts: RunnerParts): void {
  let current: Attempt | null = null;

  const fault = (error: unknown) => {
    if (current) current.crash(error);
    else void exitWith(error, parts.meter);
  };
  // An unhandled rejection arrives here too.
  process.on('uncaughtException', fault);
  parts.engine.faults?.listen(fault);
  for (const stream of [process.stdout, process.stderr]) {
    // Nobody reads any more, so there is nobody to tell.
    stream.on('error', () => process.exit(1));
  }

  parts.channel.onMessage((message: ToRunner) => {
    if (message.type === 'stop') {
      // Without an attempt it crossed the end message on its way.
      current?.stop();
      return;
    }
    if (current) throw new Error(`Attempt ${message.attemptId} came while another one is under way.`);
    const attempt = startAttempt(message, parts);
    current = attempt;
    void attempt.ended.then(async ({ message: end, broken }) => {
      // First, because the next start may come as soon as the message is out.
      current = null;
      await parts.channel.sendAndFlush(end);
      if (broken) await exit(parts.meter, 1);
    });
  });
}

async function exitWith(error: unknown, meter: OutputMeter): Promise<void> {
  console.error(error);
  await exit(meter, 1);
}

async function exit(meter: OutputMeter, code: number): Promise<void> {
  await meter.drained();
  process.exit(code);
}
