import type { SelectQueryBuilder } from 'typeorm';
import type { JobStatus } from '@gjm/core/job/status.js';
import type { JobEntity } from './job.entity.js';
import { likePattern } from './like-pattern.js';

/** Which jobs a list holds. `ownerScope` is the viewer's own limit and comes from the access policy, never from the caller. */
export interface JobFilter {
  ownerScope: string | null;
  status: JobStatus[] | null;
  kind: string[] | null;
  owner: string | null;
  labels: Record<string, string> | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
  text: string | null;
}

/** Adds the filter's conditions; an empty list of statuses or kinds matches nothing, null matches all. */
export function applyJobFilter(
  query: SelectQueryBuilder<JobEntity>,
  filter: JobFilter,
): SelectQueryBuilder<JobEntity> {
  const { ownerScope, owner, status, kind, labels, createdAfter, createdBefore, text } = filter;
  if (ownerScope !== null) query.andWhere('job.owner_id = :ownerScope', { ownerScope });
  if (owner !== null) query.andWhere('job.owner_id = :owner', { owner });
  if (status !== null) query.andWhere('job.status = ANY (:status)', { status });
  if (kind !== null) query.andWhere('job.kind = ANY (:kind)', { kind });
  if (labels !== null) query.andWhere('job.labels @> :labels::jsonb', { labels: JSON.stringify(labels) });
  if (createdAfter !== null) query.andWhere('job.created_at > :createdAfter', { createdAfter });
  if (createdBefore !== null) query.andWhere('job.created_at < :createdBefore', { createdBefore });
  if (text !== null)
    query.andWhere(`(job.name ILIKE :text OR job.id = :exact)`, {
      text: likePattern(text),
      exact: text,
    });
  return query;
}

/** The same filter on one job in memory, for live lists. `from` counts as well, so that a job that leaves the filter is reported. */
export function matchesJobFilter(
  filter: JobFilter,
  job: Pick<JobEntity, 'id' | 'ownerId' | 'kind' | 'name' | 'labels' | 'createdAt'>,
  statuses: ReadonlySet<JobStatus>,
): boolean {
  const { ownerScope, owner, status, kind, labels, createdAfter, createdBefore, text } = filter;
  return (
    (ownerScope === null || job.ownerId === ownerScope) &&
    (owner === null || job.ownerId === owner) &&
    (status === null || status.some((it) => statuses.has(it))) &&
    (kind === null || kind.includes(job.kind)) &&
    (labels === null || Object.entries(labels).every(([key, value]) => job.labels[key] === value)) &&
    (createdAfter === null || job.createdAt > createdAfter) &&
    (createdBefore === null || job.createdAt < createdBefore) &&
    (text === null || job.name.toLowerCase().includes(text.toLowerCase()) || job.id === text)
  );
}
