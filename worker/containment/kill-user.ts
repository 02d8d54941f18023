import { spawn, type ChildProcess } from 'node:child_process';
import { defer, within } from '../wait.js';
import type { ProgramTask, ProgramUser } from './program-task.js';

/** The process that kills may take this long, in ms: a program can stop it, since it runs as the same user. */
const limitMs = 1_000;
/** Exit code by which it says that it has called the kernel. */
const calledCode = 42;

/**
 * Kills all processes of a user by one call of the kernel, which hits whoever the user may signal: none can be born meanwhile and be missed.
 * That needs a process of the user. False when there can be none, because the machine, the worker or the user has as many as it may, or when
 * it did not come to the call. Never rejects.
 */
export async function killUser({ uid, gid }: ProgramUser, tools: ProgramTask['tools']): Promise<boolean> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'];
  const script = `kill -s KILL -- -1; exit ${calledCode}`;
  try {
    const child = spawn(tools.setpriv, [...as, tools.sh, '-c', script], { env: {}, stdio: 'ignore' });
    const code = await within(exitOf(child), limitMs, null);
    if (code === null) child.kill('SIGKILL');
    return code === calledCode;
  } catch {
    return false; // some refusals of the kernel are thrown at once
  }
}

/** Null when it did not start or was killed. */
function exitOf(child: ChildProcess): Promise<number | null> {
  const ended = defer<number | null>();
  child.on('error', () => ended.resolve(null));
  child.on('close', (code) => ended.resolve(code));
  return ended.promise;
}
