import { createHash } from 'node:crypto';
import { badInput } from '@gjm/core/errors.js';
import { ownerScopeOf, type Viewer } from '@gjm/core/access/policy.js';
import { parseId } from '@gjm/core/ids.js';
import { canonicalJson } from '@gjm/core/text/canonical-json.js';
import { cleanJson, cleanText } from '@gjm/core/text/clean.js';
import type { JobFilter } from '../../persistence/job-filter.js';
import type { JobOrder, JobPageRequest, JobPosition } from '../../persistence/job.repository.js';
import type { JobFilter as JobFilterInput } from './job.input.js';

/** Arguments of a connection as they arrive. */
export interface PageArguments {
  first: number | null | undefined;
  after: string | null | undefined;
  last: number | null | undefined;
  before: string | null | undefined;
}

const defaultPage = 25;
const maxPage = 100;

/** The viewer's filter; what it can not mean is refused. */
export function toJobFilter(viewer: Viewer, input: JobFilterInput | null | undefined): JobFilter {
  const labels = cleanJson(input?.labels ?? null);
  if (labels && !Object.values(labels).every((value) => typeof value === 'string'))
    throw badInput('filter.labels: each value must be a string.');
  return {
    ownerScope: ownerScopeOf(viewer),
    status: input?.status ?? null,
    kind: cleanJson(input?.kind ?? null),
    owner: cleanJson(input?.owner ?? null),
    labels: labels as Record<string, string> | null,
    createdAfter: input?.createdAfter ?? null,
    createdBefore: input?.createdBefore ?? null,
    text: input?.text ? cleanText(input.text, 200) : null,
  };
}

/** A page request, or BAD_USER_INPUT. A cursor belongs to one order and one filter: with another one it is refused. */
export function toPageRequest(filter: JobFilter, orderBy: JobOrder, page: PageArguments): JobPageRequest {
  const { first, last } = page;
  if (first != null && last != null) throw badInput('Give first or last, not both.');
  for (const [name, value] of Object.entries({ first, last }))
    if (value != null && (value < 1 || value > maxPage)) throw badInput(`${name} must be 1 to ${maxPage}.`);
  return {
    filter,
    orderBy,
    limit: first ?? last ?? defaultPage,
    after: readCursor(page.after, 'after', filter, orderBy),
    before: readCursor(page.before, 'before', filter, orderBy),
    backward: last != null,
  };
}

const digestOf = (filter: JobFilter): string =>
  createHash('sha256')
    .update(
      canonicalJson({
        ...filter,
        createdAfter: filter.createdAfter?.toISOString(),
        createdBefore: filter.createdBefore?.toISOString(),
      }),
    )
    .digest('base64url')
    .slice(0, 12);

/** Opaque to clients: order, filter and place of one row. */
export const writeCursor = (place: JobPosition, filter: JobFilter, { field, direction }: JobOrder): string =>
  Buffer.from(JSON.stringify([1, field, direction, digestOf(filter), place.value, place.id])).toString(
    'base64url',
  );

function readCursor(
  cursor: string | null | undefined,
  name: string,
  filter: JobFilter,
  { field, direction }: JobOrder,
): JobPosition | null {
  if (cursor == null) return null;
  const [version, cursorField, cursorDirection, digest, value, jobId] = decode(cursor);
  const id = parseId('job', jobId);
  if (version !== 1 || !id || !isValueOf(field, value))
    throw badInput(`${name}: this is not a cursor of this list.`);
  if (cursorField !== field || cursorDirection !== direction || digest !== digestOf(filter))
    throw badInput(`${name}: this cursor belongs to a list with another order or filter.`);
  return { value, id };
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isValueOf(field: JobOrder['field'], value: unknown): value is string | number {
  if (field === 'PRIORITY') return Number.isInteger(value) && Math.abs(value as number) <= 32_767;
  return value === 'infinity' || (typeof value === 'string' && isMoment(value));
}

/** Exactly what {@link Date.toISOString} writes for a year that Postgres knows by the same name. */
function isMoment(text: string): boolean {
  const isForm = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
  const date = isForm ? new Date(text) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString() === text;
}
