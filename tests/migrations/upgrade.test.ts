import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrations } from '@gjm/migrations/index.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { migrate } from '@gjm/server/persistence/migrate.js';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { sharedStack } from '../support/environment.js';

/** Rows of every table as a real stack had left them after so many migrations. A release that adds one adds the next such file. */
const fileOf = (count: number): string => join(cloneRoot, 'tests', 'migrations', `state-${count}.json`);
type State = Record<string, Record<string, unknown>[]>;

let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client(sharedStack().databaseUrl);
  await admin.connect();
});

afterAll(() => admin.end());

/** An empty database that has the first so many migrations. */
async function openState(count: number): Promise<{ name: string; url: string; client: pg.Client }> {
  const name = `upgrade_${process.pid}_${count}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(sharedStack().databaseUrl);
  url.pathname = `/${name}`;
  const dataSource = createDataSource(url.href, 2);
  dataSource.setOptions({ migrations: migrations.slice(0, count) });
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  const client = new pg.Client(url.href);
  await client.connect();
  return { name, url: url.href, client };
}

const known = migrations.map((_, index) => index + 1).filter((count) => existsSync(fileOf(count)));

test('there are rows of the first schema, and of the one before the newest migration', () => {
  expect(known).toEqual(expect.arrayContaining([1, migrations.length - 1]));
});

test.each(known)('rows of schema %i are all there, unchanged, after the newest migration', async (count) => {
  const state = JSON.parse(readFileSync(fileOf(count), 'utf8')) as State;
  const { name, url, client } = await openState(count);
  try {
    await client.query('SET session_replication_role = replica'); // in any order of tables
    for (const [table, rows] of Object.entries(state))
      await client.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    await migrate(url);
    for (const [table, rows] of Object.entries(state)) {
      const { rows: kept } = await client.query<{ row: unknown }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE EXISTS (SELECT FROM jsonb_array_elements($1) old WHERE to_jsonb(t) @> old)`,
        [JSON.stringify(rows)],
      );
      expect([table, kept.length]).toEqual([table, rows.length]);
    }
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE ${name}`);
  }
});
