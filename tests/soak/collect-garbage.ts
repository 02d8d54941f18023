import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import WebSocket from 'ws';
import type { Stack } from '@gjm/stack/stack.js';
import { until } from '../support/until.js';

/** What lets `collectGarbage` reach a server: its inspector opens on any free port, and only when it is asked to. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=0' };

/** Has the stack's server, which was started `inspectable`, collect all its garbage, so that its used heap is what it really holds. */
export async function collectGarbage(stack: Stack): Promise<void> {
  stack.kill('server', 'SIGUSR1');
  const log = join(stack.folder.logs, 'server.log');
  const address = await until(
    'the inspector listens',
    async () => [...(await readFile(log, 'utf8')).matchAll(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)].at(-1)?.[0],
  );
  const socket = new WebSocket(address);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(socket, 'message');
  socket.close();
}
