import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { processRun, type ProcessRunParams } from '@gjm/core/workload/process-run.js';
import { endProcesses } from '../containment/end-processes.js';
import type { ProgramTask } from '../containment/program-task.js';
import { within } from '../wait.js';
import { defineWorkload, WorkloadFailure, type Output, type WorkloadContext } from './define.js';
import { CheckpointWatch } from './process-run/checkpoint-watch.js';
import { collectOutputs } from './process-run/collect-outputs.js';
import { judgeExit, watchMemoryKills, type ProgramExit } from './process-run/judge-exit.js';
import { LastLine } from './process-run/last-line.js';
import { LineForms, type Said } from './process-run/line-forms.js';
import { placeCheckpoint, unpack } from './process-run/prepare-folder.js';
import { startProgram, type Program } from './process-run/start-program.js';

type Context = WorkloadContext<ProcessRunParams>;

/** From one look at stop, progress and checkpoints to the next, in ms. */
const beatMs = 50;
/** The pipes of a program whose processes are all gone end within this time, in ms. */
const pipesMs = 5_000;
/** Metrics beyond this many a second stay lines of the log. */
const metricsPerSecond = 500;
const mostLeftOut = 20;

/** In a runner that computes, there is no place for programs. */
export const processRunWorkload = defineWorkload(processRun, () =>
  Promise.reject(new WorkloadFailure('NO_ENGINE', 'This worker does not allow programs.')),
);

/** Runs one program to its end, in a runner that was made for it. */
export const programWorkload = (task: ProgramTask) =>
  defineWorkload(processRun, async (context) => {
    const archive = context.inputs['files'];
    if (archive !== undefined) await unpack(archive, task, () => context.stopIfAsked());
    const resumeFrom = context.resumeFrom === null ? null : await placeCheckpoint(context.resumeFrom, task);
    context.stopIfAsked();
    const killsSince = await watchMemoryKills(task);
    const { exit, lastError } = await runProgram(context, task, resumeFrom);
    context.stopIfAsked();
    judgeExit(exit, await killsSince(), lastError, task.group?.limitBytes ?? null);
    return collect(context, task);
  });

/** Resolves when no process of the program is left and all its output is out. */
async function runProgram(context: Context, task: ProgramTask, resumeFrom: string | null) {
  const program = startProgram(context.params, task, { resumeFrom, traceparent: context.traceparent });
  const ended = endOf(program);
  const lines = new LineForms(listener(context));
  const lastError = new LastLine();
  const output = Promise.all([
    pass(program.stdout, process.stdout, (bytes) => lines.push(bytes)),
    pass(program.stderr, process.stderr, (bytes) => lastError.push(bytes)),
    // A pipe that breaks is at its end; a program that did not start has none.
  ]).catch(() => null);
  const checkpoints = new CheckpointWatch({
    task,
    checkpointDir: context.checkpointDir,
    onCheckpoint: (file) => context.checkpoint(file),
  });
  const exit = await attend(context, program, ended, checkpoints);
  // Whatever it left running would write into outputs that are being stored.
  if (!(await endProcesses(task)))
    throw new WorkloadFailure('WORKLOAD_ERROR', 'Processes that the program left behind could not be ended.');
  await within(output, pipesMs, null);
  lines.end();
  await checkpoints.lookAgain();
  await context.yieldNow();
  return { exit, lastError: lastError.text };
}

/** @throws WorkloadFailure when it could not be started */
async function endOf(program: Program): Promise<ProgramExit> {
  try {
    const [code, signal] = (await once(program, 'exit')) as [number | null, NodeJS.Signals | null];
    return { code, signal };
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const why = code === 'E2BIG' ? 'its arguments and variables are too long together' : code;
    throw new WorkloadFailure('WORKLOAD_ERROR', `The program could not be started: ${why}.`, {
      cause: error,
    });
  }
}

/** Waits for the end. When asked to stop, so is the program, once: who does not obey is ended from outside. */
async function attend(
  context: Context,
  program: Program,
  ended: Promise<ProgramExit>,
  checkpoints: CheckpointWatch,
): Promise<ProgramExit> {
  let isAsked = false;
  for (;;) {
    const pause = new AbortController();
    const exit = await Promise.race([ended, sleep(beatMs, null, { signal: pause.signal })]).finally(() =>
      pause.abort(),
    );
    if (exit) return exit;
    if (context.stopRequested() && !isAsked) {
      isAsked = true;
      askToStop(program);
    }
    checkpoints.lookWhenDue();
    await context.yieldNow();
  }
}

function askToStop({ pid }: Program): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Hands bytes on as they are; waits for whoever reads them. */
async function pass(
  from: Program['stdout'],
  to: NodeJS.WriteStream,
  look: (bytes: Buffer) => void,
): Promise<void> {
  for await (const chunk of from) {
    const bytes = chunk as Buffer;
    look(bytes);
    await new Promise<void>((resolve) => void to.write(bytes, () => resolve()));
  }
}

function listener(context: Context): (said: Said) => void {
  let [left, since] = [metricsPerSecond, performance.now()];
  return (said) => {
    if (said.is === 'progress') return context.progress(said.update);
    if (performance.now() - since > 1_000) [left, since] = [metricsPerSecond, performance.now()];
    for (const [name, value] of said.values) if (left-- > 0) context.metric(name, value, said.step);
  };
}

async function collect(context: Context, task: ProgramTask): Promise<Output[]> {
  let count = 0;
  const outputs = await collectOutputs({
    task,
    expect: context.params.expect,
    outputDir: context.outputDir,
    onLeftOut: (sentence) => {
      if (++count <= mostLeftOut) console.error(sentence);
    },
  });
  if (count > mostLeftOut) console.error(`${count - mostLeftOut} more outputs are left out.`);
  return outputs;
}
