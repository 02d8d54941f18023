import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { figureOf, quantile, type Figure } from './figures.js';
import { processorMs } from './processor-time.js';
import { joinScriptedWorker } from './scripted-worker.js';

const watcherCount = 1_000;
const eventsPerRun = 100;
const everyMs = 100;

/** Every socket of this process, so that a bench can cut them without a close frame. */
const sockets = new Set<WebSocket>();
class CuttableSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols);
    sockets.add(this);
    this.on('close', () => sockets.delete(this));
    this.on('error', () => undefined);
  }
}

interface Watched {
  sequences: number[][];
  delaysMs: number[];
}

/** 1,000 sockets on one job at 10 events a second; then the same with every socket cut once in mid-watch. */
export async function watcherFigures(client: NodeClient, url: string, serverPid: number): Promise<Figure[]> {
  const accessToken = await tokenOf(client);
  const worker = await joinScriptedWorker(url, client);
  const clients = Array.from({ length: watcherCount }, () =>
    createClient({ url, accessToken, webSocketImpl: CuttableSocket, live: { lingerMs: 600_000 } }),
  );
  const p95: number[] = [];
  const cpu: number[] = [];
  try {
    for (let run = 0; run < 5; run++) {
      const before = processorMs(serverPid);
      const { sequences, delaysMs } = await watchOnce(client, clients, worker, false);
      assertWhole(sequences);
      p95.push(quantile(delaysMs, 0.95));
      cpu.push((processorMs(serverPid) - before) / delaysMs.length);
    }
    const cut = await watchOnce(client, clients, worker, true);
    assertWhole(cut.sequences);
    const fields = {
      name: '1,000 watchers at 10 events/s, event → watcher, p95',
      unit: 'ms',
      bar: '≤ 250, none lost or doubled',
    };
    const beside = {
      'server CPU ms per delivery': Math.min(...cpu),
      'sockets cut, none lost or doubled': watcherCount,
    };
    return [figureOf(fields, p95, 'low', (best) => best <= 250, beside)];
  } finally {
    for (const one of clients) one.close();
  }
}

async function watchOnce(
  client: NodeClient,
  clients: NodeClient[],
  worker: Awaited<ReturnType<typeof joinScriptedWorker>>,
  cut: boolean,
): Promise<Watched> {
  const { job } = unwrap(await client.submit({ kind: 'diagnostic', params: {} }));
  const delaysMs: number[] = [];
  let ready = 0;
  const watching = clients.map(async (watcher) => {
    const sequence: number[] = [];
    for await (const event of watcher.watch(job.id)) {
      if (sequence.length === 0) ready++;
      sequence.push(event.sequence);
      if (event.__typename === 'JobMetricEvent') delaysMs.push(Date.now() - Date.parse(event.at));
    }
    return sequence;
  });
  while (ready < clients.length) await delay(20);
  const running = worker.runMetrics(job.id, eventsPerRun, everyMs);
  if (cut) await cutAll();
  await running;
  return { sequences: await Promise.all(watching), delaysMs };
}

/** Cuts every socket once, spread over five seconds. */
async function cutAll(): Promise<void> {
  await delay(1_000);
  for (const [index, socket] of [...sockets].entries()) {
    socket.terminate();
    if (index % 10 === 0) await delay(50);
  }
}

function assertWhole(sequences: number[][]): void {
  const length = Math.max(...sequences.map((sequence) => sequence.length));
  for (const sequence of sequences)
    if (sequence.length !== length || sequence.some((number, index) => number !== index + 1))
      throw new Error(`A watcher has ${sequence.length} of ${length} events, or not in order.`);
}

/** The access token that a client uses now: an hour of watching needs no renewal in a bench. */
async function tokenOf(client: NodeClient): Promise<string> {
  const email = `bench-${Date.now()}@example.com`;
  const { invite } = unwrap(await client.createInvite({ role: 'ADMIN', hours: 1 }));
  const other = createClient({ url: client.url });
  const { accessToken } = unwrap(await other.register({ email, password: 'correct horse battery', invite }));
  other.close();
  return accessToken;
}
