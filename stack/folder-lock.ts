import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { systemCode } from './problem.js';

/** A held lock; `release` may be called any number of times. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder, or gives undefined when another living process holds it. The lock is a listening
 * abstract socket named after the folder: the kernel drops it with the process, so a crash, `kill -9` or a
 * reboot leaves nothing stale, and no file or pid has to be judged. It holds among processes of one machine
 * (one network namespace).
 */
export async function takeFolderLock(folder: string): Promise<FolderLock | undefined> {
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32);
  const socket = createServer((connection) => connection.destroy());
  try {
    await listen(socket, `\0gjm-folder-${digest}`);
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
  socket.unref();
  return {
    release: () =>
      new Promise<void>((done) => {
        socket.close(() => done());
      }),
  };
}

function listen(socket: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    socket.once('error', fail);
    socket.listen(path, done);
  });
}
