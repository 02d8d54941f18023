import 'reflect-metadata';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { migrations } from '@gjm/migrations/index.js';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { sharedStack } from '../support/environment.js';

const name = `drift_${process.pid}`;
let admin: pg.Client;
let dataSource: DataSource;
beforeAll(async () => {
  const { databaseUrl } = sharedStack();
  admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  dataSource = await createDataSource(url.href, 2).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});

interface ColumnFacts {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

const asText = ({ table, column, type, nullable }: ColumnFacts): string =>
  `${table}.${column} ${type}${nullable ? ' null' : ''}`;

/** What Postgres has, but for the table in which migrations are noted. */
async function columnsInPostgres(): Promise<string[]> {
  const rows = await dataSource.query<ColumnFacts[]>(`
    SELECT table_name AS table, column_name AS column, data_type AS type, is_nullable = 'YES' AS nullable
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'`);
  return rows.map(asText).sort();
}

/** What the entities say. */
const columnsOfEntities = (): string[] =>
  dataSource.entityMetadatas
    .flatMap(({ tableName, columns }) =>
      columns.map((column) =>
        asText({
          table: tableName,
          column: column.databaseName,
          type: dataSource.driver.normalizeType(column),
          nullable: column.isNullable,
        }),
      ),
    )
    .sort();

test('up, down, up: down leaves nothing, and up makes exactly the columns that the entities say', async () => {
  await dataSource.runMigrations();
  expect(await columnsInPostgres()).toEqual(columnsOfEntities());
  for (const _ of migrations) await dataSource.undoLastMigration();
  expect(await columnsInPostgres()).toEqual([]);
  await dataSource.runMigrations();
  expect(await columnsInPostgres()).toEqual(columnsOfEntities());
});
