/**
 * Builds both images without a container engine and runs what they would run: each RUN and COPY of the build files in an empty folder, then
 * each CMD with the image's environment, as a user who is not root, on a real Postgres and Redis; then the smoke test, with sign-up by
 * invite. Takes some minutes, mostly npm's. Run it by hand: npm run build && node tests/dist/operations/try-images.js
 * With --gpu the worker is that of worker-gpu.Dockerfile, which fetches gigabytes with pip; it computes without a GPU too.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cloneRoot } from '@gjm/stack/clone.js';
import { startStack } from '@gjm/stack/stack.js';
import { until } from '../support/until.js';
import { runBuildFile, type BuiltImage } from './build-file.js';

const nobody = 65_534;
const readyMs = 60_000;
const basePath = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

/** What git knows or would add, but for what `.dockerignore` leaves out. */
function makeContext(folder: string): string {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: cloneRoot });
  for (const path of listed.toString().split('\0')) {
    if (!path || /^(tests|bench|docs|deploy)\//.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(cloneRoot, path), join(folder, path));
  }
  return folder;
}

interface Running {
  child: ChildProcess;
  output: () => string;
}

/** Starts what an image would, as it would. */
function startIn(image: BuiltImage, [program = '', ...args]: string[], env: Record<string, string>) {
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const inImage = { ...image.env, GJM_DATA_DIR: join(image.root, image.env['GJM_DATA_DIR'] ?? '') };
  return spawn(program, args, {
    cwd: join(image.root, image.workdir),
    env: { PATH: basePath, ...inImage, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
}

async function checkHealth(name: string, image: BuiltImage, env: Record<string, string> = {}): Promise<void> {
  const [code] = (await once(startIn(image, image.check, env), 'exit')) as [number];
  console.log(code === 0 ? `PASS the ${name} is healthy` : `FAIL the ${name} is not healthy`);
  if (code !== 0) process.exitCode = 1;
}

function runImage(image: BuiltImage, env: Record<string, string>): Running {
  const child = startIn(image, image.command, env);
  let written = '';
  for (const pipe of [child.stdout, child.stderr])
    pipe.on('data', (part: Buffer) => (written += part.toString()));
  return { child, output: () => written };
}

async function awaitOutput({ child, output }: Running, pattern: RegExp): Promise<string> {
  const isThere = () => {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${output()}`);
    return pattern.exec(output())?.[1];
  };
  return until(String(pattern), isThere, readyMs);
}

async function tryImages(folder: string): Promise<void> {
  const context = makeContext(join(folder, 'context'));
  const build = (name: string) => {
    const image = runBuildFile(join(cloneRoot, 'deploy', `${name}.Dockerfile`), context, join(folder, name));
    console.log(`PASS ${name}.Dockerfile builds`);
    return image;
  };
  const worker = process.argv.includes('--gpu') ? 'worker-gpu' : 'worker';
  const images = { server: build('server'), worker: build(worker) };
  const dataDir = join(folder, 'stack');
  const stack = await startStack({ dataDir, port: 0, servers: 0, workers: 0, disposable: true });
  const running: Running[] = [];
  const start = (image: BuiltImage, env: Record<string, string>) => {
    running.push(runImage(image, env));
    return running.at(-1) as Running;
  };
  try {
    const token = `gjmw_${randomBytes(24).toString('hex')}`;
    const invite = randomBytes(16).toString('hex');
    const server = start(images.server, {
      ...{
        DATABASE_URL: stack.databaseUrl,
        REDIS_URL: stack.redisUrl,
        GJM_PORT: '0',
        GJM_DIAGNOSTIC_JOBS: '1',
      },
      ...{ GJM_SECRET: randomBytes(32).toString('hex'), GJM_BOOTSTRAP_WORKER_TOKEN: token },
      ...{ GJM_BOOTSTRAP_INVITE: invite },
    });
    const url = `http://127.0.0.1:${await awaitOutput(server, /"url":"http:[^"]*:(\d+)"/)}`;
    const page = await (await fetch(url)).text();
    console.log(
      page.includes('<script') ? 'PASS the dashboard is served' : 'FAIL the dashboard is not served',
    );
    await awaitOutput(
      start(images.worker, { GJM_SERVER: url, GJM_WORKER_TOKEN: token }),
      /"msg":"(worker ready)"/,
    );
    console.log('PASS the worker is ready');
    await checkHealth('server', images.server, { GJM_PORT: new URL(url).port });
    await checkHealth('worker', images.worker);
    const env = {
      PATH: basePath,
      GJM_URL: url,
      GJM_PASSWORD: randomBytes(16).toString('hex'),
      GJM_INVITE: invite,
    };
    const script = 'lines="$(scripts/login.sh me@example.com)"; eval "$lines"; scripts/smoke_test.sh';
    execFileSync('/bin/bash', ['-ec', script], { cwd: cloneRoot, env, stdio: 'inherit' });
  } finally {
    for (const { child, output } of running.reverse()) {
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      console.log(
        child.exitCode === 0 ? 'PASS it stops' : `FAIL it ended with ${child.exitCode}:\n${output()}`,
      );
      if (child.exitCode !== 0) process.exitCode = 1;
    }
    await stack.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'gjm-images-'));
chmodSync(folder, 0o755); // also for the user who is not root
try {
  await tryImages(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
