import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { createClient, unwrap, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import type { Stack } from '@gjm/stack/stack.js';
import { faultsOfSequence } from '../support/sequence.js';
import { submitDiagnostic } from '../support/user.js';

const watcherCount = 50;
const cutsEach = 20;

export interface Reconnects {
  /** Sockets that were cut in mid-watch. */
  count: number;
  faults: string[];
}

/** Fifty watchers of one long job, each socket cut twenty times without a close frame: no event may be missing or doubled. */
export async function runReconnects(
  stack: Stack,
  client: NodeClient,
  accessToken: string,
): Promise<Reconnects> {
  const jobId = await submitDiagnostic(client, { steps: 2_000, stepMs: 30 }, { maxAttempts: 20 });
  const sockets = new Set<WebSocket>();
  class CuttableSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      sockets.add(this);
      this.on('close', () => sockets.delete(this));
      this.on('error', () => undefined);
    }
  }
  const clients = Array.from({ length: watcherCount }, () =>
    createClient({ url: stack.url, accessToken, webSocketImpl: CuttableSocket }),
  );
  const watching = clients.map((one) => collect(one, jobId));
  let count = 0;
  for (let round = 0; round < cutsEach; round++) {
    await delay(2_000);
    for (const socket of [...sockets]) {
      if (socket.readyState !== WebSocket.OPEN) continue;
      socket.terminate();
      count++;
    }
  }
  await delay(2_000);
  unwrap(await client.cancel(jobId));
  const all = await Promise.all(watching);
  for (const one of clients) one.close();
  return { count, faults: all.flatMap(faultsOfSequence) };
}

async function collect(client: NodeClient, jobId: string): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of client.watch(jobId)) events.push(event);
  return events;
}
