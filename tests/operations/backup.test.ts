import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { commandOf } from './documents-shell.js';
import { startUp, type, Typed, type UpStack, wipe } from './up-stack.js';

const person = { email: 'keeper@example.com', password: 'correct horse battery' };
const helper = { email: 'helper@example.com', password: 'staple battery horse' };

/** What the document tells to type, for a folder of the test's. */
let commands: { backup: string; restore: string };
let place: string;
let dataDir: string;
let backup: string;
let stack: UpStack | undefined;
let postgres = '';

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'gjm-backup-'));
  [dataDir, backup] = [join(place, 'data'), join(place, 'backup')];
  const find = (form: RegExp) => commandOf('docs/operations.md', form).replace(/\/backups\/\S+/, backup);
  commands = { backup: find(/^npm run backup/), restore: find(/^npm run restore/) };
});
afterAll(async () => {
  await stack?.stop();
  await wipe(place, postgres);
});

async function start(): Promise<UpStack> {
  stack = await startUp(dataDir, { GJM_DIAGNOSTIC_JOBS: '1' });
  postgres = stack.postgres;
  return stack;
}

async function stopAndWipe(): Promise<void> {
  await stack?.stop();
  stack = undefined;
  await wipe(dataDir, postgres);
}

/** A file's SHA-256, of the bytes that come when it is fetched. */
async function hashOf(client: NodeClient, id: string): Promise<string> {
  const file = await client.file(id);
  if (!file) throw new Error(`There is no file ${id}.`);
  const hash = createHash('sha256');
  for await (const part of client.fetchArtifact(file)) hash.update(part);
  return hash.digest('hex');
}

/** All that a person can see of a job, with the bytes of every file that it made. */
async function readJob(client: NodeClient, id: string) {
  const job = await client.job(id);
  if (!job) throw new Error(`There is no job ${id}.`);
  const events = await watchToEnd(client, id);
  const made = job.attempts.flatMap((attempt) => attempt.artifacts);
  const artifacts = await Promise.all(
    made.map(async ({ id, role, name, sha256 }) => ({ role, name, sha256, bytes: await hashOf(client, id) })),
  );
  const { status, lastSequence, decisions, params } = job;
  const attempts = job.attempts.map(({ id, number, outcome }) => ({ id, number, outcome }));
  return { status, lastSequence, decisions, params, attempts, artifacts, events: withoutUrls(events) };
}

/** Addresses of files are signed anew each time they are read. */
const withoutUrls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'url' ? undefined : inner)));

async function readAccounts(admin: NodeClient) {
  const accounts = [];
  for await (const { id, email, role, disabled, name } of admin.eachUser())
    accounts.push({ id, email, role, disabled, name });
  return accounts;
}

/** Accounts of each sort, an upload, a training, a failed job, and one that runs for as long as nobody stops it. */
async function fill({ url, signInToken }: UpStack) {
  const [admin, keeper] = [createClient({ url }), createClient({ url })];
  unwrap(await admin.redeemSignInLink(signInToken));
  const other = createClient({ url });
  unwrap(await other.register({ ...helper, name: 'Helper' }));
  unwrap(await keeper.register({ ...person, name: 'Keeper' }));
  for await (const { id, email } of admin.eachUser())
    if (email === helper.email) unwrap(await admin.updateUser({ id, role: 'ADMIN' }));
  const table = join(place, 'table.csv');
  await writeFile(
    table,
    ['a,b,c', ...Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${row % 3}`)].join('\n'),
  );
  const upload = await keeper.uploadFile(table);
  const params = { data: upload.id, model: 'mlp', epochs: 3 };
  const trained = unwrap(await keeper.submit({ kind: 'model.train', params })).job.id;
  const failed = await submitDiagnostic(keeper, { logLines: 500, shouldFail: true });
  for (const id of [trained, failed]) await watchToEnd(keeper, id);
  const running = await submitDiagnostic(keeper, { steps: 10_000, stepMs: 100 }, { maxAttempts: 5 });
  await until('the long job runs', async () => (await keeper.job(running))?.status === 'RUNNING', 20_000);
  const ids = { upload: upload.id, trained, failed, running };
  const seen = await read(admin, keeper, ids);
  for (const client of [admin, keeper, other]) client.close();
  return { ids, seen };
}

async function read(
  admin: NodeClient,
  keeper: NodeClient,
  ids: { upload: string; trained: string; failed: string },
) {
  return {
    accounts: await readAccounts(admin),
    upload: await hashOf(keeper, ids.upload),
    trained: await readJob(keeper, ids.trained),
    failed: await readJob(keeper, ids.failed),
  };
}

test('all is there after a backup under load, the loss of everything and a restore', async () => {
  const { ids, seen } = await fill(await start());
  const roles = [...seen.trained.artifacts, ...seen.failed.artifacts].map(({ role }) => role);
  expect([...new Set(roles)].sort()).toEqual(['CHECKPOINT', 'LOG', 'RESULT']);

  await type(commands.backup, { GJM_DATA_DIR: dataDir });
  await stopAndWipe();
  await type(commands.restore, { GJM_DATA_DIR: dataDir });
  const { url } = await start();

  const [admin, keeper] = [createClient({ url }), createClient({ url })];
  unwrap(await admin.login(helper));
  unwrap(await keeper.login(person));
  expect(await read(admin, keeper, ids)).toEqual(seen);
  for (const { sha256, bytes } of [...seen.trained.artifacts, ...seen.failed.artifacts])
    expect(bytes).toBe(sha256);
  // The job that ran is placed again, and new work goes on behind it.
  const again = async () => (await keeper.job(ids.running))?.attempts.map(({ outcome }) => outcome);
  await until('it runs once more', async () => ((await again())?.length ?? 0) > 1, 20_000);
  unwrap(await keeper.cancel(ids.running));
  const next = await submitDiagnostic(keeper, {});
  expect((await watchToEnd(keeper, next)).at(-1)).toMatchObject({ status: 'SUCCEEDED' });
  // The worker is the same one, not a second.
  expect(await admin.workers()).toHaveLength(1);
  for (const client of [admin, keeper]) client.close();
}, 180_000);

test('a stopped stack is backed up as well, and a restore replaces nothing and takes nothing that is not whole', async () => {
  await stack?.stop();
  stack = undefined;
  const env = { GJM_DATA_DIR: dataDir };
  const refusal = async (command: string, variables: Record<string, string>) => {
    const typed = new Typed(command, variables);
    expect(await typed.code).toBe(1);
    return typed.output;
  };
  expect(await refusal(commands.backup, env)).toContain('is not empty: name a new folder');
  expect(await refusal(commands.restore, env)).toContain('is not empty, and a restore replaces nothing');
  const second = `${backup}-2`;
  expect(await refusal(commands.backup.replace(backup, join(dataDir, 'inside')), env)).toContain(
    'own folder',
  );
  await type(commands.backup.replace(backup, second), env);
  await stopAndWipe();
  const elsewhere = { GJM_DATA_DIR: join(place, 'elsewhere') };
  const [artifact] = (
    await readdir(join(second, 'artifacts'), { recursive: true, withFileTypes: true })
  ).filter((entry) => entry.isFile());
  const harmed = join(artifact?.parentPath ?? '', artifact?.name ?? '');
  const whole = await readFile(harmed);
  await appendFile(harmed, 'x');
  expect(await refusal(commands.restore.replace(backup, second), elsewhere)).toContain(
    'not whole: artifacts',
  );
  expect(await readdir(elsewhere.GJM_DATA_DIR).catch(() => [])).toEqual([]);
  await writeFile(harmed, whole);
  await type(commands.restore.replace(backup, second), env);
  const { url } = await start();
  const keeper = createClient({ url });
  unwrap(await keeper.login(person));
  expect((await keeper.jobs()).nodes).toHaveLength(4);
  keeper.close();
  await rm(second, { recursive: true });
}, 120_000);
