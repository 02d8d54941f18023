import type { JobFilter, JobRow, JobStatus } from '@gjm/client/index.js';

/** What the list shows, as its address keeps it. Empty parts do not narrow. */
export interface ListFilter {
  statuses: readonly JobStatus[];
  kinds: readonly string[];
  labels: Readonly<Record<string, string>>;
  text: string;
}

export const statuses: readonly JobStatus[] = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'];

const splitList = (value: string | null): string[] => (value ?? '').split(',').filter(Boolean);

/** Reads `?status=running,failed&kind=…&label=team=vision&text=…`; what it does not know it leaves out. */
export function readFilter(search: string): ListFilter {
  const query = new URLSearchParams(search);
  const wanted = splitList(query.get('status')).map((word) => word.toUpperCase());
  const labels = query.getAll('label').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)] as const] : [];
  });
  return {
    statuses: statuses.filter((status) => wanted.includes(status)),
    kinds: splitList(query.get('kind')),
    labels: Object.fromEntries(labels),
    text: query.get('text') ?? '',
  };
}

/** The address that shows exactly this. */
export function addressOf(filter: ListFilter): string {
  const query = new URLSearchParams();
  if (filter.statuses.length > 0) query.set('status', filter.statuses.join(',').toLowerCase());
  if (filter.kinds.length > 0) query.set('kind', filter.kinds.join(','));
  for (const [key, value] of Object.entries(filter.labels)) query.append('label', `${key}=${value}`);
  if (filter.text) query.set('text', filter.text);
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `/jobs?${text}` : '/jobs';
}

export const isNarrow = (filter: ListFilter): boolean => addressOf(filter) !== '/jobs';

/** The same for the API; null when nothing narrows. */
export function queryOf(filter: ListFilter): JobFilter | null {
  if (!isNarrow(filter)) return null;
  return {
    ...(filter.statuses.length > 0 && { status: [...filter.statuses] }),
    ...(filter.kinds.length > 0 && { kind: [...filter.kinds] }),
    ...(Object.keys(filter.labels).length > 0 && { labels: { ...filter.labels } }),
    ...(filter.text && { text: filter.text }),
  };
}

/** Whether a job that a live change tells of still belongs in the list. Kind, labels and name of a job never change. */
export const passes = (filter: ListFilter, job: Pick<JobRow, 'status'>): boolean =>
  filter.statuses.length === 0 || filter.statuses.includes(job.status);
