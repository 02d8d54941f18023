import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { readStackFile } from '@gjm/stack/stack-file.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';

/** A database is made first, on a machine that is busy. */
const startMs = 60_000;
const stopMs = 30_000;

/** What people type runs with these variables and nothing else of the test's own. */
const plainEnvironment = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
  HOME: homedir(),
  GJM_NVIDIA_SMI: 'none',
  ...fastTiming,
  ...env,
});

/** A command in the clone's root, with all that it wrote. */
export class Typed {
  readonly child: ChildProcess;
  readonly code: Promise<number | null>;
  output = '';

  constructor(command: string, env: Record<string, string>) {
    this.child = spawn('bash', ['-c', command], { cwd: cloneRoot, env: plainEnvironment(env) });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.code = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** The first match in what it writes; fails when it ends before. */
  said(pattern: RegExp, withinMs = startMs): Promise<RegExpExecArray> {
    return until(
      String(pattern),
      () => {
        const found = pattern.exec(this.output);
        if (!found && this.child.exitCode !== null) throw new Error(`It ended:\n${this.output}`);
        return found;
      },
      withinMs,
    );
  }
}

/** Runs a command to its end; fails when it does. */
export async function type(command: string, env: Record<string, string>): Promise<string> {
  const typed = new Typed(command, env);
  if ((await typed.code) !== 0) throw new Error(`${command}:\n${typed.output}`);
  return typed.output;
}

/** A stack that `npm run up` keeps. */
export interface UpStack {
  url: string;
  /** Signs in as the first ADMIN, once. */
  signInToken: string;
  /** Where Postgres keeps its data: elsewhere, for root. */
  postgres: string;
  stop(): Promise<void>;
}

/** Types `npm run up` for this data folder and waits until it says that it is ready. */
export async function startUp(dataDir: string, env: Record<string, string> = {}): Promise<UpStack> {
  const up = new Typed('npm run up', { GJM_DATA_DIR: dataDir, GJM_PORT: '0', ...env });
  const [, url = ''] = await up.said(/^ready (http:\S+)$/m);
  const [, signInToken = ''] = await up.said(/#sign-in=(\S+)/);
  const file = await readStackFile(dataDir);
  if (!file) throw new Error('It is ready and wrote no stack.json.');
  const stop = async () => {
    if (up.child.exitCode === null) process.kill(file.owner.pid, 'SIGTERM');
    await until('the stack is gone', () => up.child.exitCode !== null, stopMs);
  };
  return { url, signInToken, postgres: file.folders.postgres ?? '', stop };
}

/** Removes all that the stack of a data folder keeps anywhere: the end of its disk. */
export async function wipe(dataDir: string, postgres: string): Promise<void> {
  for (const path of [dataDir, postgres]) if (path) await rm(path, { recursive: true, force: true });
}
