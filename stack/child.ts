import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.js';
import type { EnvironmentVariables } from './environment.js';
import { boundLog, openLog, readTail, sizeOf } from './log-file.js';
import { removePidFile, writePidFile } from './pid-file.js';
import { StackProblem } from './problem.js';
import { settlesWithin } from './until.js';

/** One step of stopping a child: the signal to send and how long to wait for the end, in milliseconds. */
export interface StopStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

/** What to start and how to stop it. */
export interface ChildPlan {
  /** Names the log `logs/<name>.log` and the pid file `run/<name>.pid`. */
  name: string;
  command: string;
  args: readonly string[];
  env: EnvironmentVariables;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Written to the child's standard input, which is then closed. */
  input?: string;
  /** Tried in order; SIGKILL for the whole group follows by itself. */
  stopSteps: readonly StopStep[];
}

/** How a child ended: a code or a signal. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running child, the leader of its own process group. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Settles when the child has ended; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Set once the child has ended. */
  readonly exit: ChildExit | undefined;
  /** What this child has written so far, at most the last 4 KiB. */
  output(): string;
  /** Keeps the log bounded; call it now and then. */
  boundLog(): void;
  /** Sends one signal to the child alone; nothing happens when it has ended. */
  kill(signal: NodeJS.Signals): void;
  /** Ends the child and its group, by force after the last step. Idempotent; settles when it is gone. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the whole group at once, for a forced exit. */
  destroy(): void;
}

/** Starts a child in its own process group with its output in a log. Fails when it can not be started. */
export async function startChild(plan: ChildPlan, folder: DataFolder): Promise<Child> {
  const logPath = join(folder.logs, `${plan.name}.log`);
  const log = openLog(logPath);
  const logStart = sizeOf(logPath);
  const child = spawn(plan.command, plan.args, {
    cwd: plan.cwd,
    env: plan.env,
    uid: plan.uid,
    gid: plan.gid,
    detached: true,
    stdio: [plan.input === undefined ? 'ignore' : 'pipe', log, log],
  });
  closeSync(log);
  const pid = await confirmStart(child, plan);
  writePidFile(folder.run, plan.name, pid);
  child.stdin?.on('error', () => undefined); // it ended before reading: its exit tells
  child.stdin?.end(plan.input);

  let exit: ChildExit | undefined;
  const exited = new Promise<ChildExit>((done) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal };
      signalGroup(pid, 'SIGKILL'); // whatever it left behind in its group
      removePidFile(folder.run, plan.name);
      done(exit);
    });
  });
  let stopping: Promise<void> | undefined;
  return {
    name: plan.name,
    pid,
    exited,
    get exit() {
      return exit;
    },
    output: () => readTail(logPath, logStart),
    boundLog: () => boundLog(logPath),
    kill: (signal) => void child.kill(signal),
    stop: () => (stopping ??= stopInSteps(child, exited, plan.stopSteps)),
    destroy: () => signalGroup(pid, 'SIGKILL'),
  };
}

function confirmStart(child: ChildProcess, plan: ChildPlan): Promise<number> {
  return new Promise((done, fail) => {
    child.once('spawn', () => done(child.pid as number));
    child.once('error', (error) =>
      fail(new StackProblem(`${plan.command} can not be started: ${error.message}.`)),
    );
  });
}

async function stopInSteps(
  child: ChildProcess,
  exited: Promise<unknown>,
  steps: readonly StopStep[],
): Promise<void> {
  for (const step of steps) {
    child.kill(step.signal);
    if (await settlesWithin(exited, step.waitMs)) return;
  }
  signalGroup(child.pid as number, 'SIGKILL');
  await settlesWithin(exited, 10_000);
}

/** Signals a whole process group; a group that is gone is no error. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH: nothing is left of the group
  }
}
