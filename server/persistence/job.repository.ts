import { In, type DataSource, type SelectQueryBuilder } from 'typeorm';
import type { AttemptRecord, DecisionRecord, JobRecord } from '../application/records.js';
import { AttemptDeviceEntity, AttemptEntity, DecisionEntity, JobEntity } from './job.entity.js';
import { applyJobFilter, type JobFilter } from './job-filter.js';

/** A place in an ordered list: the value it is ordered by (ISO time or number, null last) and the id. */
export interface JobPosition {
  value: string | number | null;
  id: string;
}

export interface JobPageRequest {
  filter: JobFilter;
  orderBy: { field: 'CREATED_AT' | 'FINISHED_AT' | 'PRIORITY'; direction: 'ASC' | 'DESC' };
  limit: number;
  /** Rows after this place in the list's own direction, or before it when `backward`. */
  from: JobPosition | null;
  backward: boolean;
}

const orderColumn = { CREATED_AT: 'created_at', FINISHED_AT: 'finished_at', PRIORITY: 'priority' } as const;
const orderProperty = { CREATED_AT: 'createdAt', FINISHED_AT: 'finishedAt', PRIORITY: 'priority' } as const;

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

  /** At most `limit` jobs in the order of the list, by keyset: equal cost on every page. */
  async page(request: JobPageRequest): Promise<JobRecord[]> {
    const { orderBy, from, backward, limit } = request;
    const column = orderColumn[orderBy.field];
    const isDescending = (orderBy.direction === 'DESC') !== backward;
    const query = this.#filtered(request.filter);
    if (orderBy.field === 'FINISHED_AT') query.andWhere('job.finished_at IS NOT NULL');
    if (from)
      query.andWhere(`(job.${column}, job.id) ${isDescending ? '<' : '>'} (:value, :id)`, {
        value: from.value,
        id: from.id,
      });
    const direction = isDescending ? 'DESC' : 'ASC';
    const rows = await query
      .orderBy(`job.${orderProperty[orderBy.field]}`, direction)
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
