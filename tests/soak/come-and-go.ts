import type { Stack } from '@gjm/stack/stack.js';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { parseMetrics } from '../support/prometheus.js';
import { RawSocket } from '../support/raw-socket.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { collectGarbage } from './collect-garbage.js';

/** Events that watchers are given in one round, at least. */
const eventCount = 10_000;
/** What the heap may keep beyond its start, as a share of it. */
const heapShare = 0.1;
/** Gauges that are 0 when nobody watches. */
const gauges = ['gjm_sockets', 'gjm_operations', 'gjm_watch_hubs', 'gjm_watchers', 'gjm_watchers_behind'];

export interface ComeAndGo {
  /** Events that arrived at watchers. */
  delivered: number;
  watchers: number;
  /** Used heap of the server at rest and without its garbage, in MiB. */
  heapAtStart: number;
  heapAtEnd: number;
  faults: string[];
}

/**
 * Watchers come and go until 10,000 events were delivered: some read to the end, some close, some vanish without a word, some before their
 * first event. Then no gauge may count them, and the heap must come back to where it was. `token` may see the jobs.
 */
export async function runComeAndGo(stack: Stack, client: NodeClient, token: string): Promise<ComeAndGo> {
  const jobId = await submitDiagnostic(client, { steps: 60, stepMs: 50, logLines: 100 });
  const length = (await watchToEnd(client, jobId)).length;
  // The first round fills caches and has code compiled, which stays.
  await runRound(stack, jobId, length, token);
  const heapAtStart = await restingHeap(stack);
  const { delivered, watchers } = await runRound(stack, jobId, length, token);
  const limit = heapAtStart * (1 + heapShare);
  const left = await untilGaugesRest(stack);
  const heapAtEnd = await restingHeap(stack);
  const grown = `the heap was ${heapAtStart} MiB and is ${heapAtEnd} MiB after ${delivered} events`;
  return {
    ...{ delivered, watchers, heapAtStart, heapAtEnd },
    faults: [...left, ...(heapAtEnd > limit ? [grown] : [])],
  };
}

async function runRound(stack: Stack, jobId: string, length: number, accessToken: string) {
  const round = { delivered: 0, watchers: 0 };
  const query = 'subscription ($id: ID!) { jobEvents(jobId: $id) { __typename sequence } }';
  while (round.delivered < eventCount) {
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => new RawSocket(stack.url).connect(accessToken)),
    );
    for (const socket of sockets) socket.subscribe('1', query, { id: jobId });
    await Promise.all(
      sockets.map(async (socket, index) => {
        if (index % 4 === 0) socket.terminate();
        else await socket.next(({ type }) => type === (index % 4 === 1 ? 'next' : 'complete'));
        if (index % 2 === 0) socket.terminate();
        else socket.close();
        await socket.closed;
        round.delivered += socket.messages.filter(({ type }) => type === 'next').length;
      }),
    );
    // And one by the SDK, which reads to the end.
    const reader = createClient({ url: stack.url, accessToken });
    round.delivered += (await watchToEnd(reader, jobId)).length;
    reader.close();
    round.watchers += sockets.length + 1;
    if (round.watchers > (eventCount / length) * 10) throw new Error('Watchers are given too few events.');
  }
  return round;
}

/** Used heap of the server without its garbage, in MiB. */
async function restingHeap(stack: Stack): Promise<number> {
  await collectGarbage(stack);
  const metrics = parseMetrics(await (await fetch(`${stack.url}/metrics`)).text());
  const bytes = metrics.get('nodejs_heap_size_used_bytes')?.samples[0]?.value ?? NaN;
  return Math.round(bytes / 1024 / 102.4) / 10;
}

/** What still counts a watcher after 5 s, in words. */
async function untilGaugesRest(stack: Stack): Promise<string[]> {
  let left: string[] = [];
  const look = async () => {
    const metrics = parseMetrics(await (await fetch(`${stack.url}/metrics`)).text());
    const samples = gauges.flatMap((name) => metrics.get(name)?.samples ?? []);
    left = samples
      .filter(({ value }) => value !== 0)
      .map(({ name, labels, value }) => `${name} ${JSON.stringify(labels)} is ${value} with nobody there`);
    return left.length === 0;
  };
  await until('no gauge counts a watcher', look).catch(() => undefined);
  return left;
}
