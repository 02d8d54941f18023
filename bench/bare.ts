import BeeQueue from 'bee-queue';
import type pg from 'pg';

/** Three bare SQL transactions that insert and update one small row, `count` times on one connection; rate in units per second. */
export async function bareSqlRate(database: pg.Client, count: number): Promise<number> {
  await database.query('CREATE TEMP TABLE IF NOT EXISTS bare (id bigint PRIMARY KEY, state text)');
  await database.query('TRUNCATE bare');
  const startedAt = performance.now();
  for (let id = 0; id < count; id++) await bareTransactions(database, id);
  return count / ((performance.now() - startedAt) / 1_000);
}

async function bareTransactions(database: pg.Client, id: number): Promise<void> {
  await database.query('INSERT INTO bare VALUES ($1, $2)', [id, 'QUEUED']);
  await database.query('UPDATE bare SET state = $2 WHERE id = $1', [id, 'RUNNING']);
  await database.query('UPDATE bare SET state = $2 WHERE id = $1', [id, 'SUCCEEDED']);
}

/** What three bare transactions and one bare Bee-Queue hop take together, in ms, `count` times. */
export async function barePathMs(database: pg.Client, redisUrl: string, count: number): Promise<number[]> {
  await bareSqlRate(database, 1);
  const settings = {
    redis: { url: redisUrl },
    prefix: 'bench',
    getEvents: false,
    sendEvents: false,
    storeJobs: false,
  };
  const sender = new BeeQueue(`bare-${process.pid}`, { ...settings, isWorker: false });
  const receiver = new BeeQueue(`bare-${process.pid}`, { ...settings, removeOnSuccess: true });
  let arrived: (() => void) | undefined;
  receiver.process(async () => arrived?.());
  const times: number[] = [];
  for (let id = 1; id <= count; id++) {
    const startedAt = performance.now();
    await bareTransactions(database, id);
    const hop = new Promise<void>((resolve) => (arrived = resolve));
    await sender.createJob({ id }).save();
    await hop;
    times.push(performance.now() - startedAt);
  }
  await sender.close();
  await receiver.close();
  return times;
}
