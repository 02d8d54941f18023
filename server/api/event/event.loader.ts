import DataLoader from 'dataloader';
import type { StoredEvent } from '@gjm/core/wire/events.js';
import { readEventsOfJobs } from '../../persistence/transitions/read-events.js';
import type { GraphqlContext } from '../context.js';

interface PageOfEvents {
  jobId: string;
  after: number;
  limit: number;
}

/** Pages of events of many jobs: those of one length and start are read by one statement, however many jobs a list has. */
export function createEventLoader({
  services: { database },
}: GraphqlContext): (page: PageOfEvents) => Promise<StoredEvent[]> {
  const loaders = new Map<string, DataLoader<string, StoredEvent[]>>();
  return ({ jobId, after, limit }) => {
    const key = `${after}:${limit}`;
    const loader =
      loaders.get(key) ??
      new DataLoader(async (jobIds: readonly string[]) => {
        const groups = new Map<string, StoredEvent[]>(jobIds.map((id) => [id, []]));
        for (const event of await readEventsOfJobs(database, jobIds, after, limit))
          groups.get(event.jobId)?.push(event);
        return jobIds.map((id) => groups.get(id) ?? []);
      });
    loaders.set(key, loader);
    return loader.load(jobId);
  };
}
