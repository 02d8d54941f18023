import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { postgresHomeOf } from './postgres-place.js';
import { isAlive, readIdentity } from './process-identity.js';
import { type Stack, type StackOptions, startStack } from './stack.js';
import { until } from './until.js';

const running: Stack[] = [];
/** What several tests look at and harm; each leaves it whole. */
let shared: Stack;

beforeAll(async () => {
  shared = await startServices({ keepAlive: true });
}, 30_000);
afterAll(async () => {
  for (const stack of running) await stack.close();
}, 30_000);

async function startServices(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gjm-services-')));
  const stack = await startStack({ port: 0, servers: 0, disposable: true, ...options, dataDir });
  running.push(stack);
  return stack;
}

async function query(stack: Stack, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function askRedis(stack: Stack, setting: string): Promise<unknown> {
  const client = new Redis(stack.redisUrl, {
    lazyConnect: true,
    retryStrategy: () => null,
    disconnectTimeout: 50,
  });
  await client.connect();
  try {
    return ((await client.config('GET', setting)) as string[])[1];
  } finally {
    client.disconnect();
  }
}

test('Postgres is a real, durable 18 and Redis never evicts, both closed to a stranger', async () => {
  const settings =
    "SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding')";
  expect(await query(shared, settings)).toEqual(['on', 'on', 'UTF8']);
  expect(String(await query(shared, 'SHOW server_version'))).toMatch(/^18\./);
  expect(await askRedis(shared, 'maxmemory-policy')).toBe('noeviction');
  const stranger = new pg.Client({ connectionString: shared.databaseUrl.replace(/:[^:@]+@/, ':wrong@') });
  await expect(stranger.connect()).rejects.toThrow(/password authentication failed/);
  const port = Number(new URL(shared.redisUrl).port);
  const guest = new Redis({ port, lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
  guest.on('error', () => undefined);
  await guest.connect();
  await expect(guest.get('x')).rejects.toThrow(/NOAUTH/);
  guest.disconnect();
});

test('secrets, notes and logs are private, and stack.json tells the pids', async () => {
  for (const folder of ['secrets', 'run', 'logs']) {
    expect((await stat(join(shared.dataDir, folder))).mode & 0o777).toBe(0o700);
    for (const file of await readdir(join(shared.dataDir, folder))) {
      expect((await stat(join(shared.dataDir, folder, file))).mode & 0o077).toBe(0);
    }
  }
  const file = JSON.parse(await readFile(join(shared.dataDir, 'stack.json'), 'utf8')) as { pids: unknown };
  expect(file.pids).toEqual(shared.pids());
  expect(shared.secrets.workerToken).toMatch(/^gjmw_[\w-]{43}$/);
  expect(JSON.stringify(file)).not.toContain(shared.secrets.postgresPassword);
});

test('with keepAlive a killed service comes back by itself', async () => {
  const before = shared.pids();
  shared.kill('redis', 'SIGKILL');
  await shared.ended('redis');
  const back = () => shared.pids().redis !== undefined && shared.pids().redis !== before.redis;
  await until(back, { limitMs: 30_000, what: 'Redis did not come back' });
  await until(() => askRedis(shared, 'port').then(Boolean, () => false), {
    limitMs: 10_000,
    what: 'no answer',
  });
  expect(shared.pids().postgres).toBe(before.postgres);
});

test('what was committed is there after both were killed and started again', async () => {
  await query(shared, 'CREATE TABLE kept AS SELECT 42 AS answer');
  for (const name of ['postgres', 'redis']) {
    const { [name]: pid } = shared.pids();
    shared.kill(name, 'SIGKILL');
    await shared.ended(name);
    await shared.restart(name);
    expect(shared.pids()[name]).not.toBe(pid);
  }
  expect(await query(shared, 'SELECT answer FROM kept')).toEqual([42]);
  expect(await askRedis(shared, 'appendonly')).toBe('no');
});

test('a Postgres killed in the middle of work starts again', async () => {
  await query(shared, 'CREATE TABLE filled AS SELECT generate_series(1, 1000) AS n');
  const work = query(
    shared,
    'SELECT count(*) FROM generate_series(1, 3000000) a, generate_series(1, 100) b',
  ).catch(String);
  const isBusy = () =>
    query(shared, "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%3000000%' AND pid <> pg_backend_pid()");
  await until(async () => (await isBusy()).length > 0, { limitMs: 20_000, what: 'The work did not start' });
  shared.kill('postgres', 'SIGKILL');
  await shared.ended('postgres');
  await shared.restart('postgres');
  expect(await query(shared, 'SELECT count(*)::int FROM filled')).toEqual([1000]);
  expect(await work).toMatch(/terminat|ECONNRESET|57P/i);
});

test('close ends every process, forgets them, and a second close does nothing', async () => {
  const identities = Object.values(shared.pids()).map((pid) => readIdentity(pid));
  const home = postgresHomeOf(shared.folder);
  await Promise.all([shared.close(), shared.close()]);
  await shared.close();
  expect(identities).toHaveLength(2);
  for (const identity of identities) expect(identity && isAlive(identity)).toBe(false);
  expect([existsSync(shared.dataDir), existsSync(home)]).toEqual([false, false]);
});

test('a folder in use is refused in words, free again after close, and starts anew once it was removed', async () => {
  const stack = await startServices({ disposable: false });
  await query(stack, 'CREATE TABLE old_life (n int)');
  await expect(startStack({ dataDir: stack.dataDir, port: 0, servers: 0 })).rejects.toThrow(
    /runs on the data folder/,
  );
  await stack.close();
  const again = await startServices({ dataDir: stack.dataDir, disposable: false });
  expect(again.secrets).toEqual(stack.secrets);
  expect(await query(again, "SELECT to_regclass('old_life')::text")).toEqual(['old_life']);
  await again.close();
  // Its Postgres may live elsewhere: that goes with it.
  await rm(stack.dataDir, { recursive: true });
  const anew = await startServices({ dataDir: stack.dataDir });
  expect(await query(anew, "SELECT to_regclass('old_life')")).toEqual([null]);
});

test('a busy port is refused in one sentence before anything starts', async () => {
  const holder = createServer();
  await new Promise<void>((done) => holder.listen(0, '127.0.0.1', done));
  const { port } = holder.address() as AddressInfo;
  const start = startServices({ port });
  await expect(start).rejects.toThrow(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use: .*GJM_PORT`));
  await new Promise((done) => holder.close(done));
});

test('leftovers of a crashed stack are ended and its data is found again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gjm-crashed-'));
  const script = `import { startStack } from '${new URL('dist/stack.js', import.meta.url).href}';
    const stack = await startStack({ dataDir: ${JSON.stringify(dataDir)}, port: 0, servers: 0 });
    console.log(JSON.stringify(stack.pids()));`;
  const crashed = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((done) =>
    crashed.stdout.once('data', (chunk: Buffer) => done(String(chunk))),
  );
  const orphans = Object.values(JSON.parse(line) as Record<string, number>).map((pid) => readIdentity(pid));
  crashed.kill('SIGKILL');
  await new Promise((done) => crashed.once('exit', done));
  expect(orphans).toHaveLength(2);
  for (const orphan of orphans) expect(orphan && isAlive(orphan)).toBe(true);
  const stack = await startServices({ dataDir });
  for (const orphan of orphans) expect(orphan && isAlive(orphan)).toBe(false);
  expect(await query(stack, 'SELECT 1')).toEqual([1]);
});
