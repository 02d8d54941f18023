import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';

/** A worker process of a test's own. */
export interface WorkerProcess {
  child: ChildProcess;
  /** The code it ended with; null when a signal ended it. */
  exit: Promise<number | null>;
  /** Everything it wrote. */
  output(): string;
}

/** Starts `worker/dist/index.js`, or another main module, for this server with exactly these variables; as this user, if one is given. */
export function spawnWorker(
  server: string,
  env: Record<string, string>,
  { main = 'worker/dist/index.js', uid }: { main?: string; uid?: number } = {},
): WorkerProcess {
  const child = spawn(process.execPath, [join(cloneRoot, main), '--server', server], {
    // Nothing of the test's own environment reaches it; a test that wants GPUs says which.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', GJM_NVIDIA_SMI: 'none', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let written = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, exit, output: () => written };
}
