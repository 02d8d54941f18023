import { expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '@gjm/stack/stack.js';
import { untilAtRest } from '../support/leftovers.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { newUser } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';

/** Each point once per process, exit code 70; the restart drops it. */
const points = [
  'after-submit-commit',
  'after-place-commit',
  'after-claim-commit',
  'before-artifact-rename',
  'after-finish-commit',
  'worker-after-pop',
] as const;

test.each(points)('a process that dies at %s loses nothing and doubles nothing', async (point) => {
  const isWorker = point === 'worker-after-pop';
  const fault = { GJM_FAULT: `${point}:exit` };
  const stack = await startStack({
    dataDir: join(tmpdir(), `gjm-${point}-${process.pid}`),
    port: 0,
    diagnosticJobs: true,
    keepAlive: true,
    disposable: true,
    env: fastTiming,
    ...(isWorker ? { workerEnv: fault } : { serverEnv: fault }),
  });
  const client = await newUser(stack.url);
  try {
    const name = isWorker ? 'worker' : 'server';
    const pid = stack.pids()[name];
    // The SDK sends a submit whose answer was lost again, with the same request id.
    const job = await watchJob(client, { steps: 2, artifactBytes: 1_000 });
    await job.ended;
    expect(faultsOfJob(job)).toEqual([]);
    await until(`the ${name} died at its fault point`, () => stack.pids()[name] !== pid);
    expect((await client.jobs({ first: 10 })).nodes).toHaveLength(1);
    await untilAtRest(stack);
  } finally {
    client.close();
    await stack.close();
  }
});

test('a server that dies between the rows and the bytes of a deletion leaves the bytes to the next one', async () => {
  const stack = await startStack({
    dataDir: join(tmpdir(), `gjm-delete-${process.pid}`),
    port: 0,
    diagnosticJobs: true,
    keepAlive: true,
    disposable: true,
    env: fastTiming,
    serverEnv: { GJM_FAULT: 'after-delete-commit:exit' },
  });
  const client = await newUser(stack.url);
  try {
    const job = await watchJob(client, { artifactBytes: 1_000 });
    await job.ended;
    const pid = stack.pids()['server'];
    await client.deleteJob(job.id).catch(() => undefined); // its answer is lost with the server
    await until('the server is back', () => stack.pids()['server'] && stack.pids()['server'] !== pid);
    await until('the job is gone', async () => (await client.job(job.id).catch(() => 'away')) === null);
    expect(await client.deleteJob(job.id)).toMatchObject({ code: 'NOT_FOUND' });
    await untilNoBytes(stack.folder.artifacts);
  } finally {
    client.close();
    await stack.close();
  }
});

/** The sweeper looks every 10 s; a server that starts looks at once. */
async function untilNoBytes(folder: string): Promise<void> {
  await until('no artifact is left on the disk', async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.parentPath.includes('jobs')).length === 0;
  });
}
