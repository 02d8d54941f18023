import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { clone, digest } from './clone.mjs';

/**
 * Runs `work(lockFd)` while no other process of this machine prepares this clone. The lock is a listening abstract
 * socket, which ends with the last process that holds it: a crash leaves nothing stale. `lockFd` is to be handed to
 * the programs that work started, so that one which outlives a crash still keeps others away. Elsewhere than on
 * Linux there is no lock.
 */
export async function withCloneLock(work) {
  if (process.platform !== 'linux') return work(undefined);
  const path = `\0gjm-clone-${digest(clone).slice(0, 32)}`;
  let lock = await tryLock(path);
  if (lock === undefined)
    process.stderr.write('Waiting for another command to finish installing and building …\n');
  while (lock === undefined) {
    await pause(100);
    lock = await tryLock(path);
  }
  try {
    return await work(lock._handle?.fd);
  } finally {
    await new Promise((done) => lock.close(done));
  }
}

/** A server that holds the lock, undefined while another process does. */
function tryLock(path) {
  return new Promise((done, fail) => {
    const socket = createServer((connection) => connection.destroy());
    socket.once('error', (error) => (error.code === 'EADDRINUSE' ? done(undefined) : fail(error)));
    socket.listen(path, () => done(socket));
  });
}
