import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ProcessRunParams } from '@gjm/core/workload/process-run.js';
import { intoGroup } from '../../containment/memory-group.js';
import { markVariable, type ProgramTask } from '../../containment/program-task.js';
import { WorkloadFailure } from '../define.js';

export type Program = ChildProcessByStdio<null, Readable, Readable>;

/** What an attempt hands on to its program. */
interface Attempted {
  /** Path of an earlier attempt's checkpoint. */
  resumeFrom: string | null;
  /** W3C `traceparent` of the attempt. */
  traceparent: string | null;
}

/**
 * Starts the program in a session of its own, as its user and with its limits. Its variables are set behind the change of user, by `env`:
 * before it they could make the loader run code of theirs as us.
 */
export function startProgram(
  params: ProcessRunParams,
  task: ProgramTask,
  { resumeFrom, traceparent }: Attempted,
): Program {
  const { setpriv, prlimit, env, sh } = task.tools;
  const { processes, outputBytes } = task.limits;
  const pairs = Object.entries(variablesOf(params, task, { resumeFrom, traceparent })).map(
    ([name, value]) => `${name}=${value}`,
  );
  const [first = '', ...args] = [
    // As us: the program's user may not choose its group.
    ...(task.group ? intoGroup(task.group, sh) : []),
    setpriv,
    ...asUser(task.user),
    ...[prlimit, '--core=0', `--fsize=${outputBytes}`],
    // Without a user of its own it would count the worker's processes, too.
    ...(task.user ? [`--nproc=${processes}`] : []),
    ...['--', env, '-i', ...pairs, ...params.command],
  ];
  const program = spawn(first, args, {
    cwd: join(task.folder, 'work'),
    // Known for the program's before it is: who looks for its user meanwhile would not find it.
    env: { [markVariable]: task.mark },
    // Signals for its group do not meet the runner, nor the other way round.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (program.pid !== undefined) preferForKilling(program.pid);
  return program;
}

/** When memory runs out, the kernel shall take the program and not the worker. */
function preferForKilling(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // It is gone already, or this system does not let us: the kernel takes whom it likes.
  }
}

/** No way back to more rights, and an end with the runner. */
function asUser(user: ProgramTask['user']): string[] {
  const change = user
    ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--inh-caps=-all']
    : [];
  return [...change, '--no-new-privs', '--pdeathsig', 'KILL'];
}

/** What a program finds in its environment: ours behind its own, so that none of these can be changed. */
export function variablesOf(
  { env, environment }: ProcessRunParams,
  task: ProgramTask,
  { resumeFrom, traceparent }: Attempted,
): Record<string, string> {
  const { folder, user, variables, fixed, jobId, attempt } = task;
  const { PATH = '/usr/local/bin:/usr/bin:/bin' } = variables;
  const venv = environment === undefined ? null : environmentOf(environment, task);
  return {
    LANG: 'C.UTF-8',
    ...variables,
    PATH: venv ? `${venv}/bin:${PATH}` : PATH,
    HOME: join(folder, 'work'),
    TMPDIR: join(folder, 'tmp'),
    ...(user ? { USER: user.name, LOGNAME: user.name } : {}),
    ...(venv ? { VIRTUAL_ENV: venv } : {}),
    ...env,
    ...fixed,
    GJM_JOB_ID: jobId,
    GJM_ATTEMPT: String(attempt),
    GJM_OUTPUT_DIR: join(folder, 'out'),
    GJM_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    ...(resumeFrom === null ? {} : { GJM_RESUME_FROM: resumeFrom }),
    ...(traceparent === null ? {} : { TRACEPARENT: traceparent }),
  };
}

function environmentOf(name: string, { environments }: ProgramTask): string {
  const path = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (path !== undefined) return path;
  const known = Object.keys(environments).join(', ') || 'none';
  throw new WorkloadFailure('NO_ENGINE', `This worker has no environment ${name}; it has: ${known}.`);
}
