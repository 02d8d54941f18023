import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { createDatabase, type TransactionalDatabase } from '@gjm/server/persistence/database.js';
import { sharedStack } from '../support/environment.js';
import { openRelay, type Relay } from '../support/relay.js';
import { until } from '../support/until.js';

const one = { name: 'one', text: 'SELECT 1' };
const sleep = { name: 'sleep', text: 'SELECT pg_sleep(30)' };
const wrong = { name: 'wrong', text: 'SELECT 1 / 0' };

describe('the pool of connections', () => {
  let relay: Relay;
  let dataSource: DataSource;
  let database: TransactionalDatabase;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);

  beforeAll(async () => {
    process.on('uncaughtException', note);
    relay = await openRelay(sharedStack().databaseUrl);
    dataSource = await createDataSource(relay.url, 5).initialize();
    database = createDatabase(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    relay.close();
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  const use = () => {
    const { total, idle, waiting } = database.poolUse();
    return { inUse: total - idle, waiting };
  };

  test('survives connections that break in a statement, in a transaction, between its statements, and idle', async () => {
    const between = database.transaction(async (transaction) => {
      await transaction.run(one, []);
      relay.cut();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await transaction.run(one, []);
    });
    const within = database.transaction((transaction) => transaction.run(sleep, []));
    const settled = await Promise.allSettled([between, within, database.run(sleep, [])]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(use()).toEqual({ inUse: 0, waiting: 0 });
    relay.restore();
    await until('it answers again', () => database.run(one, []).catch(() => null));
  });

  test('gives every connection back, whatever fails in it', async () => {
    const work = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0
        ? database.run(wrong, [])
        : database.transaction(async (transaction) => {
            if (i % 3 === 1) throw new Error('ours');
            await transaction.run(wrong, []);
          }),
    );
    const settled = await Promise.allSettled(work);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    expect(use()).toEqual({ inUse: 0, waiting: 0 });
    expect(database.poolUse().total).toBeLessThanOrEqual(5);
    expect(await database.run(one, [])).toHaveLength(1);
  });
});
