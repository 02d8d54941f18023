import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import type { DataFolder } from '@gjm/stack/data-folder.js';
import { postgresUrl } from '@gjm/stack/postgres.js';
import { postgresHomeOf } from '@gjm/stack/postgres-place.js';
import { redisUrl } from '@gjm/stack/redis.js';
import { readStackFile } from '@gjm/stack/stack-file.js';
import { writeZip } from '@gjm/worker/workloads/archive/write-zip.js';
import { isSuperuser, removeUsers, runAs } from '../process-run/program-worker.js';
import { isAlive } from '../support/harm.js';
import { until } from '../support/until.js';
import { commandOf, commandsOf, DocumentsShell } from './documents-shell.js';
import { type, Typed } from './up-stack.js';

// One stack, started by scripts/resume.sh as `npm run up` is, and what documents tell to type on it.
const user = runAs('one-stack');
const invite = randomBytes(16).toString('hex');
const settings = {
  ...{ GJM_PORT: '0', GJM_DIAGNOSTIC_JOBS: '1' },
  ...{ GJM_REGISTRATION: 'invite', GJM_BOOTSTRAP_INVITE: invite },
  ...{ GJM_PROCESS_RUN: 'all', GJM_ALLOW_PROCESS_RUN: '1', GJM_RUN_AS: user },
  ...(isSuperuser ? {} : { GJM_ALLOW_SAME_USER: '1' }),
};
const stopMs = 30_000;

let place: string;
/** Where programs of users get their folders: they can not reach the one above. */
let programs: string;
let dataDir: string;
let url = '';
let postgres = '';
/** What login.sh printed. */
let signedIn: Record<string, string>;
let admin: NodeClient;

/** Ends what resume.sh started, as its first lines tell. */
async function stop(folder: string, part: string): Promise<void> {
  const pid = Number(await readFile(join(folder, 'resume', `${part}.pid`), 'utf8'));
  process.kill(pid, 'SIGTERM');
  await until(`${part} is gone`, () => !isAlive(pid), stopMs);
}

const secret = async (name: string): Promise<string> =>
  (await readFile(join(dataDir, 'secrets', name), 'utf8')).trim();

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'gjm-one-stack-'));
  dataDir = join(place, 'data');
  programs = await mkdtemp(join(tmpdir(), 'gjm-one-stack-programs-'));
  await chmod(programs, 0o711);
  const folders = { GJM_DATA_DIR: dataDir, GJM_PROGRAM_DIR: programs };
  const said = await type('scripts/resume.sh all', { ...settings, ...folders });
  url = /^ready (http:\S+)$/m.exec(said)?.[1] ?? '';
  postgres = (await readStackFile(dataDir))?.folders.postgres ?? '';
  const login = commandOf('docs/deployment.md', /scripts\/login\.sh/).replace(
    'GJM_INVITE=…',
    `GJM_INVITE=${invite}`,
  );
  const lines = await type(login, { GJM_URL: url, GJM_PASSWORD: 'correct horse battery' });
  const exports = [...lines.matchAll(/^export (\w+)=(.*)$/gm)];
  signedIn = Object.fromEntries(exports.map(([, name = '', value = '']) => [name, value]));
  admin = createClient({ url, accessToken: signedIn['GJM_TOKEN'] ?? '' });
}, 120_000);
afterAll(async () => {
  admin.close();
  await stop(dataDir, 'up');
  // Root's databases lie elsewhere.
  const demo = { path: join(place, 'demo') } as DataFolder;
  for (const path of [programs, postgres, postgresHomeOf(demo)])
    if (path) await rm(path, { recursive: true, force: true });
  await rm(place, { recursive: true, force: true });
  if (isSuperuser) removeUsers(user);
}, 60_000);

test('login.sh makes the ADMIN with the invite, and smoke_test.sh passes', async () => {
  expect(await admin.viewer()).toMatchObject({ email: 'me@example.com', role: 'ADMIN' });
  const lines = (await type('scripts/smoke_test.sh', signedIn)).trim().split('\n');
  expect(lines.filter((line) => !line.startsWith('PASS '))).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(16);
}, 60_000);

test('the link that up prints signs a terminal in', async () => {
  const log = await readFile(join(dataDir, 'resume', 'up.log'), 'utf8');
  const link = /http:\S+#sign-in=\S+/.exec(log)?.[0] ?? '';
  const shell = await DocumentsShell.open(url, '');
  await shell.run(commandOf('README.md', /^npx gjm login --link/).replace(/'http:.*'/, `'${link}'`));
  expect(await shell.run('gjm whoami')).toContain('admin@localhost');
  await shell.close();
}, 30_000);

describe('npm run worker', () => {
  const documented = ['README.md', 'docs/deployment.md'].map((document) => ({
    document,
    command: commandOf(document, /^npm run worker /),
  }));

  test.each(documented)(
    'as $document has it: $command',
    async ({ document, command }) => {
      const name = `joined-${document.replace(/\W/g, '-')}`;
      const token = await secret('worker-token');
      const tokenFile = join(place, 'token');
      await writeFile(tokenFile, `${token}\n`, { mode: 0o600 });
      const typed = command
        .replace(/https?:\/\/[\w.]+(:\d+)?/, url)
        .replace('gjmw_…', token)
        .replace('/etc/gjm/token', tokenFile);
      const env = { GJM_DATA_DIR: join(place, name), GJM_WORKER_NAME: name };
      const worker = new Typed(typed, env);
      await worker.said(/"msg":"worker ready"/);
      const joined = (await admin.workers()).find((one) => one.name === name);
      expect(joined?.online).toBe(true);
      worker.child.kill('SIGTERM');
      await worker.code;
      expect(worker.output).toContain('"how":"clean"');
    },
    90_000,
  );
});

describe('npm run demo', () => {
  const commands = commandsOf('README.md').flatMap(({ command }) =>
    /^npm run demo/.test(command) ? [command] : [],
  );

  test('starts a stack of its own, and ends it', async () => {
    const said = await type(commands[0] ?? '', { GJM_DATA_DIR: join(place, 'demo'), GJM_PORT: '' });
    expect(said).toMatch(/^Done in .* pixels\n.*harbour-2x\.png$/m);
  }, 90_000);

  test('takes a picture, and the stack that runs', async () => {
    const photo = join(place, 'photo.jpg');
    await sharp(join(cloneRoot, 'samples', 'harbour.png'))
      .resize(24, 16)
      .jpeg()
      .toFile(photo);
    const said = await type((commands[1] ?? '').replace('photo.jpg', photo), {
      ...settings,
      GJM_DATA_DIR: dataDir,
    });
    expect(said).toMatch(/^Done in .* 48 × 32 pixels\n.*photo-2x\.png$/m);
    expect(said).not.toContain('Starting');
  }, 90_000);
});

test('resume.sh starts a second server and a second worker, and leaves them alone the next time', async () => {
  const file = await readStackFile(dataDir);
  const api = {
    GJM_DATA_DIR: join(place, 'api'),
    GJM_PORT: '0',
    GJM_ARTIFACT_DIR: file?.folders.artifacts ?? '',
    GJM_SECRET: await secret('server-key'),
    DATABASE_URL: postgresUrl(file?.ports.postgres ?? 0, await secret('postgres-password')),
    REDIS_URL: redisUrl(file?.ports.redis ?? 0, await secret('redis-password')),
  };
  const said = await type('scripts/resume.sh api', api);
  expect(said).toMatch(/^api is ready, pid \d+/m);
  const second = `http://127.0.0.1:${/"url":"http:[^"]*:(\d+)"/.exec(said)?.[1]}`;
  expect((await fetch(`${second}/readyz`)).status).toBe(200);
  expect(await type('scripts/resume.sh api', api)).toMatch(/^api runs already/m);
  const worker = {
    ...{ GJM_DATA_DIR: join(place, 'second'), GJM_WORKER_NAME: 'second' },
    ...{ GJM_SERVER: second, GJM_WORKER_TOKEN: await secret('worker-token') },
  };
  expect(await type('scripts/resume.sh worker', worker)).toMatch(/^worker is ready, pid \d+/m);
  expect((await admin.workers()).find(({ name }) => name === 'second')?.online).toBe(true);
  expect(await type('scripts/resume.sh worker', worker)).toMatch(/^worker runs already/m);
  await stop(worker.GJM_DATA_DIR, 'worker');
  await stop(api.GJM_DATA_DIR, 'api');
}, 120_000);

const hasPython = existsSync('/usr/bin/python3');
(hasPython ? test : test.skip)(
  `the programs of docs/programs.md${hasPython ? '' : ' (skipped: there is no python3)'}`,
  async () => {
    const program = 'import os, sys\nprint("args", sys.argv[1:], os.environ.get("EPOCHS"))\n';
    const shell = await DocumentsShell.open(url, signedIn['GJM_TOKEN'] ?? '');
    await mkdir(join(shell.folder, 'my-project'));
    await writeFile(join(shell.folder, 'my-project', 'train.py'), program);
    await writeZip(join(shell.folder, 'project.zip'), { 'train.py': program });
    const run = commandOf('docs/programs.md', /^npx gjm run /);
    expect(await shell.run(run)).toContain("args ['--epochs', '3'] None");
    const submit = commandOf('docs/programs.md', /^npx gjm submit process\.run /);
    await shell.run(submit);
    expect(await shell.run('gjm logs job_…')).toContain('args [] 3');
    await shell.close();
  },
  60_000,
);

/** Fetching them anew each time would be too much; a set-up that is there already is asked for again. */
describe.each(['models', 'webgpu'])('npm run setup:%s', (what) => {
  const isThere = existsSync(join(cloneRoot, 'worker', 'packages', what));
  const document = what === 'models' ? 'docs/kinds.md' : 'docs/engines.md';
  (isThere ? test : test.skip)(
    `finds it set up${isThere ? '' : ' (skipped: it is not)'}`,
    async () => {
      const command = commandOf(document, new RegExp(`^npm run setup:${what}`));
      expect(await type(command, {})).toMatch(/set up already|Set up in/);
    },
    60_000,
  );
});
