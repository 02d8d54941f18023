import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { clone, digest } from './clone.mjs';

/**
 * Runs `work` while no other process of this machine prepares this clone. The lock is a listening abstract
 * socket: it ends with its process, so a crash leaves nothing stale. Elsewhere than on Linux there is no lock.
 */
export async function withCloneLock(work) {
  if (process.platform !== 'linux') return work();
  const socket = createServer((connection) => connection.destroy());
  const path = `\0gjm-clone-${digest(clone).slice(0, 32)}`;
  let told = false;
  while (!(await tryListen(socket, path))) {
    if (!told) process.stderr.write('Waiting for another command to finish installing and building …\n');
    told = true;
    await pause(100);
  }
  try {
    return await work();
  } finally {
    await new Promise((done) => socket.close(done));
  }
}

function tryListen(socket, path) {
  return new Promise((done, fail) => {
    const onError = (error) => (error.code === 'EADDRINUSE' ? done(false) : fail(error));
    socket.once('error', onError);
    socket.listen(path, () => {
      socket.off('error', onError);
      done(true);
    });
  });
}
