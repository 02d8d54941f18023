import { In, type DataSource, type SelectQueryBuilder } from 'typeorm';
import type { AttemptRecord, DecisionRecord, JobRecord } from '../application/records.js';
import { AttemptDeviceEntity, AttemptEntity, DecisionEntity, JobEntity } from './job.entity.js';
import { applyJobFilter, type JobFilter } from './job-filter.js';

/** A place in an ordered list: the value it is ordered by, as text or number, and the id. */
export interface JobPosition {
  value: string | number;
  id: string;
}

export type JobOrderField = 'CREATED_AT' | 'FINISHED_AT' | 'PRIORITY';
export interface JobOrder {
  field: JobOrderField;
  direction: 'ASC' | 'DESC';
}

export interface JobPageRequest {
  filter: JobFilter;
  orderBy: JobOrder;
  limit: number;
  /** Only rows that come after this place, and before that one, in the list's own direction. */
  after: JobPosition | null;
  before: JobPosition | null;
  /** Take the last `limit` of them instead of the first. */
  backward: boolean;
}

/** What each order sorts by. A job that has not finished sorts behind all that have. */
const orderExpression: Record<JobOrderField, string> = {
  CREATED_AT: 'job.created_at',
  FINISHED_AT: `coalesce(job.finished_at, 'infinity'::timestamptz)`,
  PRIORITY: 'job.priority',
};

/** Where a job stands in a list of this order. */
export function positionOf(job: JobRecord, field: JobOrderField): JobPosition {
  if (field === 'PRIORITY') return { value: job.priority, id: job.id };
  const at = field === 'CREATED_AT' ? job.createdAt : job.finishedAt;
  return { value: at?.toISOString() ?? 'infinity', id: job.id };
}

/** Reads of jobs and of what hangs on them. Lists are cut on the job alone; children are read in batches by id. */
export class JobRepository {
  constructor(private readonly dataSource: DataSource) {}

  async byIds(ids: readonly string[]): Promise<JobRecord[]> {
    return ids.length === 0 ? [] : this.dataSource.getRepository(JobEntity).findBy({ id: In(ids) });
  }

  async byId(id: string): Promise<JobRecord | null> {
    return (await this.byIds([id]))[0] ?? null;
  }

  async byClientRequestId(ownerId: string, clientRequestId: string): Promise<JobRecord | null> {
    return this.dataSource.getRepository(JobEntity).findOneBy({ ownerId, clientRequestId });
  }

  attemptsOf(jobIds: readonly string[]): Promise<AttemptRecord[]> {
    return this.dataSource
      .getRepository(AttemptEntity)
      .find({ where: { jobId: In(jobIds) }, order: { jobId: 'ASC', number: 'ASC' } });
  }

  async attemptsById(ids: readonly string[]): Promise<AttemptRecord[]> {
    return this.dataSource.getRepository(AttemptEntity).findBy({ id: In(ids) });
  }

  attemptDevicesOf(attemptIds: readonly string[]): Promise<{ attemptId: string; deviceId: string }[]> {
    return this.dataSource.getRepository(AttemptDeviceEntity).findBy({ attemptId: In(attemptIds) });
  }

  decisionsOf(jobIds: readonly string[]): Promise<DecisionRecord[]> {
    return this.dataSource
      .getRepository(DecisionEntity)
      .find({ where: { jobId: In(jobIds) }, order: { jobId: 'ASC', at: 'ASC', id: 'ASC' } });
  }

  /** Names of users by id. */
  async userNames(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.dataSource.query('SELECT id, name FROM users WHERE id = ANY ($1)', [ids]);
  }

  /** At most `limit` jobs in the order of the list, by keyset: equal cost on every page. */
  async page(request: JobPageRequest): Promise<JobRecord[]> {
    const { orderBy, after, before, backward, limit } = request;
    const expression = orderExpression[orderBy.field];
    const isDescending = orderBy.direction === 'DESC';
    const query = this.#filtered(request.filter);
    const cut = (name: string, place: JobPosition, sign: '<' | '>') =>
      query.andWhere(`(${expression}, job.id) ${sign} (:${name}Value, :${name}Id)`, {
        [`${name}Value`]: place.value,
        [`${name}Id`]: place.id,
      });
    if (after) cut('after', after, isDescending ? '<' : '>');
    if (before) cut('before', before, isDescending ? '>' : '<');
    const direction = isDescending === backward ? 'ASC' : 'DESC';
    const rows = await query
      .orderBy(expression, direction)
      .addOrderBy('job.id', direction)
      .limit(limit)
      .getMany();
    return backward ? rows.reverse() : rows;
  }

  /** How many jobs match, counted up to `cap` and no further. */
  async count(filter: JobFilter, cap: number): Promise<number> {
    const inner = this.#filtered(filter).select('1').limit(cap);
    const [sql, parameters] = inner.getQueryAndParameters();
    const rows = await this.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM (${sql}) AS matching`,
      parameters,
    );
    return rows[0]?.count ?? 0;
  }

  #filtered(filter: JobFilter): SelectQueryBuilder<JobEntity> {
    return applyJobFilter(this.dataSource.getRepository(JobEntity).createQueryBuilder('job'), filter);
  }
}
