import DataLoader from 'dataloader';
import type { ArtifactRecord } from '../../application/files/ports.js';
import type { AttemptRecord, DecisionRecord } from '../../application/records.js';
import type { GraphqlContext } from '../context.js';
import { inOrder } from '../device/device.loaders.js';

export interface JobLoaders {
  ownerName: DataLoader<string, { id: string; name: string } | null>;
  attempts: DataLoader<string, AttemptRecord[]>;
  decisions: DataLoader<string, DecisionRecord[]>;
  /** Accepted results of a job. */
  artifacts: DataLoader<string, ArtifactRecord[]>;
  attemptArtifacts: DataLoader<string, ArtifactRecord[]>;
  attemptDeviceIds: DataLoader<string, string[]>;
}

/** Batched reads of one operation, per viewer: nothing is shared between requests. */
export function createJobLoaders({ services: { jobs }, files }: GraphqlContext): JobLoaders {
  return {
    ownerName: new DataLoader(async (ids) => inOrder(ids, await jobs.userNames(ids))),
    attempts: new DataLoader(async (ids) => grouped(ids, await jobs.attemptsOf(ids), (row) => row.jobId)),
    decisions: new DataLoader(async (ids) => grouped(ids, await jobs.decisionsOf(ids), (row) => row.jobId)),
    artifacts: new DataLoader(async (ids) =>
      grouped(ids, await files.artifactsOfJobs(ids), (row) => row.jobId),
    ),
    attemptArtifacts: new DataLoader(async (ids) =>
      grouped(ids, await files.artifactsOfAttempts(ids), (row) => row.attemptId),
    ),
    attemptDeviceIds: new DataLoader(async (ids) =>
      grouped(ids, await jobs.attemptDevicesOf(ids), (row) => row.attemptId).map((rows) =>
        rows.map((row) => row.deviceId),
      ),
    ),
  };
}

function grouped<Row>(keys: readonly string[], rows: readonly Row[], keyOf: (row: Row) => string): Row[][] {
  const groups = new Map<string, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}
