import { expect, test } from '@jest/globals';
import type { JobRepository } from '../persistence/job.repository.js';
import type { JobFilter } from '../persistence/job-filter.js';
import type { Logger, PubSub, Topics } from './ports.js';
import type { JobRecord } from './records.js';
import { JobListHub } from './watch-jobs.js';

const everything: JobFilter = {
  ownerScope: null,
  status: null,
  kind: null,
  owner: null,
  labels: null,
  createdAfter: null,
  createdBefore: null,
  text: null,
};

test('a watcher that takes its changes slowly is given the newest state of each job, never an older one after it', async () => {
  let wake: (payload: Topics['jobs']) => void = () => undefined;
  const status = new Map<string, JobRecord['status']>();
  const jobs = {
    byIds: async (ids: string[]) => ids.map((id) => ({ id, ownerId: 'usr', status: status.get(id) })),
  };
  const pubsub = {
    subscribe: async (_topic: string, _key: string, listener: typeof wake) => {
      wake = listener;
      return () => undefined;
    },
  };
  const hub = new JobListHub(jobs as unknown as JobRepository, pubsub as unknown as PubSub, {} as Logger);
  hub.start();
  const abort = new AbortController();
  const changes = hub.watch(everything, abort.signal);
  const change = (jobId: string, to: JobRecord['status']): void => {
    status.set(jobId, to);
    wake({ jobId, ownerId: 'usr', lastSequence: 1, from: 'QUEUED', to });
  };
  const first = changes.next();
  change('a', 'RUNNING');
  change('b', 'RUNNING');
  expect((await first).value).toMatchObject({ job: { id: 'a' } });
  // While the watcher is busy with a, b moves on.
  change('b', 'SUCCEEDED');
  await new Promise((resolve) => setTimeout(resolve, 150)); // longer than the hub gathers changes
  expect((await changes.next()).value).toMatchObject({ job: { id: 'b', status: 'SUCCEEDED' } });
  const rest = changes.next();
  abort.abort();
  expect((await rest).value).toBeUndefined();
  hub.close();
});
