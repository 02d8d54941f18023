import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import type { Stack } from '@gjm/stack/stack.js';
import { figureOf, type Figure } from './figures.js';

/** Default settings: a worker is killed → its job runs on the other one. Seconds between the kill and the second RUNNING, seen by a watcher. */
export async function workerLossFigure(client: NodeClient, stack: Stack): Promise<Figure> {
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const { job } = unwrap(
      await client.submit({ kind: 'diagnostic', params: { steps: 1_000, stepMs: 100 } }),
    );
    let running = 0;
    let killedAt = 0;
    for await (const event of client.watch(job.id)) {
      if (event.__typename !== 'JobStatusEvent' || event.status !== 'RUNNING') continue;
      if (++running === 2) break;
      const name = await holderOf(client, stack, job.id);
      killedAt = performance.now();
      const ended = stack.ended(name);
      stack.kill(name, 'SIGKILL');
      await ended;
    }
    runs.push((performance.now() - killedAt) / 1_000);
    unwrap(await client.cancel(job.id));
    for await (const _ of client.watch(job.id));
    for (const name of ['worker', 'worker-2']) if (!stack.pids()[name]) await stack.start(name);
  }
  const fields = { name: 'worker killed → job running elsewhere', unit: 's', bar: '≤ 15' };
  return figureOf(fields, runs, 'low', (best) => best <= 15);
}

/** Which of the two workers has the job: the one whose device the job names. */
async function holderOf(client: NodeClient, stack: Stack, jobId: string): Promise<string> {
  const job = await client.job(jobId);
  const devices = await client.devices();
  const device = devices.find((one) => one.id === job?.devices[0]?.id);
  const workers = await client.workers();
  const index = workers.findIndex((worker) => worker.id === device?.worker.id);
  // Workers are listed by id, which is by the time of their first hello; the stack starts them in the order of their names.
  return (
    Object.keys(stack.pids())
      .filter((name) => name.startsWith('worker'))
      .sort()[index] ?? 'worker'
  );
}

/** Default settings: cancel of a job that never yields → CANCELLED, which comes only when its process group is gone and the device is free. */
export async function cancelFigure(client: NodeClient): Promise<Figure> {
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const { job } = unwrap(await client.submit({ kind: 'diagnostic', params: { hang: true } }));
    let last: JobEvent | undefined;
    let askedAt = 0;
    for await (const event of client.watch(job.id)) {
      last = event;
      if (event.__typename !== 'JobStatusEvent' || event.status !== 'RUNNING') continue;
      await delay(200);
      askedAt = performance.now();
      unwrap(await client.cancel(job.id));
    }
    if (last?.__typename !== 'JobStatusEvent' || last.status !== 'CANCELLED')
      throw new Error('The job was not cancelled.');
    runs.push((performance.now() - askedAt) / 1_000);
  }
  const fields = { name: 'cancel → device proven free, job never yields', unit: 's', bar: '≤ grace 5 + 5' };
  return figureOf(fields, runs, 'low', (best) => best <= 10);
}
