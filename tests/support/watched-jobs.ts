import { randomUUID } from 'node:crypto';
import { unwrap, UnreachableError, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import { faultsOfSequence } from './sequence.js';
import { statusesOf } from './user.js';

/** A job under watch from its submit to its end. */
export interface WatchedJob {
  id: string;
  events: JobEvent[];
  /** Resolves at its terminal event. */
  ended: Promise<void>;
}

/** Submits a diagnostic job that survives many lost attempts, however long the server is away, and collects its events as they come. */
export async function watchJob(client: NodeClient, params: Record<string, unknown>): Promise<WatchedJob> {
  const id = await submitPatiently(client, params);
  const events: JobEvent[] = [];
  const ended = (async () => {
    for await (const event of client.watch(id)) events.push(event);
  })();
  ended.catch(() => undefined); // awaited later by whoever watches
  return { id, events, ended };
}

/** The same request id each time: however often it is sent, it is one job. */
async function submitPatiently(client: NodeClient, params: Record<string, unknown>): Promise<string> {
  const input = { kind: 'diagnostic', params, maxAttempts: 20, clientRequestId: randomUUID() };
  for (;;) {
    try {
      return unwrap(await client.submit(input)).job.id;
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
  }
}

/** What is wrong with a job that should have succeeded once, in words; nothing when all is well. */
export function faultsOfJob({ id, events }: WatchedJob): string[] {
  const faults = faultsOfSequence(events);
  const last = statusesOf(events).at(-1);
  if (last !== 'SUCCEEDED') faults.push(`it ended ${last ?? 'without a status'}`);
  return faults.map((fault) => `${id}: ${fault}`);
}
