import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A hand-written statement. Its name makes it a prepared one: parsed and planned once per connection. */
export interface Statement {
  name: string;
  text: string;
}

/** Runs statements on one connection or on any. Rows come back as the driver parses them: timestamptz as Date, bigint as string. */
export interface Database {
  run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

export interface TransactionalDatabase extends Database {
  /** BEGIN … COMMIT on one connection, rolled back when `work` throws; the connection is always given back. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** The pool's use, for gauges. */
  poolUse(): { total: number; idle: number; waiting: number };
}

const on = (client: Pool | PoolClient): Database => ({
  run: async <Row extends QueryResultRow>({ name, text }: Statement, values: unknown[]) =>
    (await client.query<Row>({ name, text, values })).rows,
});

/**
 * Hand-written statements on TypeORM's own pool: one pool, so one bound on connections. A serialization failure or a deadlock (40001,
 * 40P01) of a single statement is tried again: it changed nothing.
 */
export function createDatabase(dataSource: DataSource): TransactionalDatabase {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  return {
    run: (statement, values) => retryConflicts(() => on(pool).run(statement, values)),
    poolUse: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async transaction(work) {
      const client = await pool.connect();
      // A connection that breaks while it is out of the pool says so by an event, which would end the process; the statement fails as well.
      const ignore = (): void => undefined;
      client.on('error', ignore);
      let failure: Error | undefined;
      try {
        await client.query('BEGIN');
        const value = await work(on(client));
        await client.query('COMMIT');
        return value;
      } catch (error) {
        failure = error as Error;
        await client.query('ROLLBACK').catch(() => undefined); // a broken connection is destroyed below
        throw error;
      } finally {
        client.off('error', ignore);
        client.release(failure && isConnectionBroken(failure));
      }
    },
  };
}

const isConnectionBroken = (error: Error): boolean =>
  !('code' in error) || /^(08|57P)/.test(String(error.code));

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (tries >= 5 || (code !== '40001' && code !== '40P01')) throw error;
    }
  }
}
