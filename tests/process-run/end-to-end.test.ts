import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import { writeZip } from '@gjm/worker/workloads/archive/write-zip.js';
import { Shell } from '../cli/gjm.js';
import { StandInSmi } from '../devices/stand-in.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { password } from '../support/sign-in.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { logOf, watchToEnd } from '../support/user.js';
import { spawnWorker, type WorkerProcess } from '../support/worker-process.js';
import { isSuperuser, removeUsers, runAs, skipReason } from './program-worker.js';

const user = runAs('end-to-end');
const [allowed, other, named] = ['ann@example.com', 'bob@example.com', 'carl@example.com'];
const gpus = ['GPU-11111111-aaaa', 'GPU-22222222-bbbb'].map((uuid, index) => ({
  uuid,
  bus: `0000000${index}:01:00.0`,
}));

/** A hundred bytes. */
const floodLine = `${'flood'.repeat(19)}....\n`;
/** Bytes of one line, of many short ones, and of a job's log that is shown. */
const [giantLine, flood, logBytes] = [20_000_000, 100_000_000, 4_000_000];
/** By which a worker may grow meanwhile and what a runner may hold, in kB. Garbage is most of it: it does not grow with the output. */
const [mostGrowthKb, mostRunnerKb] = [170_000, 170_000];

(isSuperuser ? describe : describe.skip)(`programs on a real server${skipReason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gjm-program-worker-'));
  const bench = new ServerBench(sharedStack());
  let smi: StandInSmi;
  let worker: WorkerProcess;
  let shell: Shell;
  let [ann, bob]: NodeClient[] = [];
  let address = '';

  beforeAll(async () => {
    const token = `gjmw_${randomBytes(32).toString('base64url')}`;
    const own = {
      ...{ GJM_PROCESS_RUN: `${allowed}, ${named}`, GJM_BOOTSTRAP_WORKER_TOKEN: token },
      GJM_LOG_BYTES: String(logBytes),
    };
    ({ address } = await bench.start({ ...(await bench.install()), ...fastTiming, ...own }));
    // The first account is an administrator's, and may have an address that the operator names.
    ann = await signedUp(allowed);
    bob = await signedUp(other);
    shell = await Shell.open(address);
    const login = ['login', '--email', allowed, '--password-stdin'];
    expect((await shell.run(login, { input: `${password}\n` })).code).toBe(0);
    smi = new StandInSmi({ gpus });
    const env = {
      ...{ GJM_WORKER_TOKEN: token, GJM_DATA_DIR: folder, GJM_ALLOW_PROCESS_RUN: '1', GJM_RUN_AS: user },
      ...{ GJM_NVIDIA_SMI: smi.path, GJM_DIAGNOSTIC_JOBS: '1', GJM_DIAGNOSTIC_GPU_ENGINE: 'wasm' },
      GJM_ENVIRONMENTS: 'tools=/opt/gjm-tools',
    };
    worker = spawnWorker(address, env, { main: 'tests/dist/process-run/light-worker.js' });
    await until('three devices that take programs', hasDevices, 20_000);
  }, 60_000);
  afterAll(async () => {
    for (const client of [ann, bob]) client?.close();
    await shell.close();
    worker.child.kill('SIGTERM');
    await worker.exit;
    await bench.close();
    smi.close();
    rmSync(folder, { recursive: true });
    removeUsers(user);
  });

  async function signedUp(email: string): Promise<NodeClient> {
    const client = createClient({ url: address });
    unwrap(await client.register({ email, password, name: email }));
    return client;
  }

  const hasDevices = async () => {
    const devices = (await ann?.devices()) ?? [];
    return devices.filter(({ engines }) => engines.includes('process')).length === 3;
  };

  test('are for those whom the operator names', async () => {
    const params = { command: ['true'] };
    const refusal = await bob?.submit({ kind: 'process.run', params });
    expect(refusal).toMatchObject({ __typename: 'ValidationProblem', code: 'UNKNOWN_KIND' });
    const enabled = async (client: NodeClient | undefined) =>
      (await client?.jobKinds())?.find(({ name }) => name === 'process.run')?.enabled;
    expect(await Promise.all([ann, bob].map(enabled))).toEqual([true, false]);
  });

  test('are not for a stranger who registers the address of somebody whom the operator names', async () => {
    const carl = createClient({ url: address });
    const register = async (email: string, invite: string | null) =>
      carl.register({ email, password, name: 'Carl', invite });
    for (const email of [named, ' Carl@Example.com '])
      expect(await register(email, null)).toMatchObject({
        ...{ __typename: 'ValidationProblem', code: 'VALIDATION' },
        fields: [{ path: ['email'], message: expect.stringContaining('invite of an administrator') }],
      });
    expect(await register(named, 'gjmi_made-up-by-a-stranger')).toMatchObject({
      __typename: 'ForbiddenProblem',
    });
    expect(await bob!.createInvite()).toMatchObject({ __typename: 'ForbiddenProblem' });
    const { invite } = unwrap(await ann!.createInvite());
    unwrap(await register(named, invite));
    const kind = (await carl.jobKinds()).find(({ name }) => name === 'process.run');
    carl.close();
    expect(kind?.enabled).toBe(true);
  });

  test('whose params are wrong are refused with every path', async () => {
    const params = { command: ['A=b'], env: { GJM_JOB_ID: 'x', '1': 'y' }, expect: [''], more: 1 };
    const refusal = await ann?.submit({ kind: 'process.run', params });
    if (refusal?.__typename !== 'ValidationProblem') throw new Error('It was taken.');
    const paths = refusal.fields.map(({ path }) => path.join('.'));
    expect(paths.sort()).toEqual([
      ...['params.command', 'params.env.1', 'params.env.GJM_JOB_ID', 'params.expect.0', 'params.more'],
    ]);
  });

  test('see all devices of their attempt, and no job shares these', async () => {
    const { job } = unwrap(
      await ann!.submit({
        kind: 'process.run',
        params: { command: ['sh', '-c', 'echo $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER'] },
        devices: 2,
        deviceSelector: { kind: 'gpu' },
      }),
    );
    const events = await watchToEnd(ann!, job.id);
    expect((await ann!.job(job.id))?.status).toBe('SUCCEEDED');
    const [devices = '', order] = logOf(events).trim().split(' ');
    expect(devices.split(',').sort()).toEqual(gpus.map(({ uuid }) => uuid));
    expect(order).toBe('PCI_BUS_ID');
  });

  test('choose a worker by the environment that it has', async () => {
    const params = { command: ['sh', '-c', 'echo $VIRTUAL_ENV'], environment: 'tools' };
    const deviceSelector = { labels: { 'env.tools': '1' } };
    const { job } = unwrap(await ann!.submit({ kind: 'process.run', params, deviceSelector }));
    expect(logOf(await watchToEnd(ann!, job.id))).toBe('/opt/gjm-tools\n');
  });

  test('go on from their last checkpoint after their runner was killed', async () => {
    const script = `
      if [ -n "$GJM_RESUME_FROM" ]; then
        cp "$GJM_RESUME_FROM" "$GJM_OUTPUT_DIR/model.txt"; echo "resumed in $GJM_ATTEMPT"; exit 0
      fi
      cp data.txt "$GJM_CHECKPOINT_DIR/.new" && mv "$GJM_CHECKPOINT_DIR/.new" "$GJM_CHECKPOINT_DIR/model.txt"
      echo waiting; sleep 300`;
    const path = join(folder, 'files.zip');
    await writeZip(path, { 'train.sh': script, 'data.txt': 'learned' });
    const { id: files } = await ann!.uploadFile(path);
    const params = { command: ['sh', 'train.sh'], files, expect: ['*.txt'] };
    const { job } = unwrap(
      await ann!.submit({ kind: 'process.run', params, deviceSelector: { kind: 'cpu' } }),
    );
    const events: string[] = [];
    for await (const event of ann!.watch(job.id)) {
      events.push(event.__typename);
      if (event.__typename === 'JobArtifactEvent' && event.artifact.role === 'CHECKPOINT') killRunners();
    }
    const done = await ann!.job(job.id);
    expect(done).toMatchObject({
      status: 'SUCCEEDED',
      attempts: [{ failure: { code: 'RUNNER_CRASHED' } }, {}],
    });
    const result = done?.artifacts.find(({ role }) => role === 'RESULT');
    expect(result?.name).toBe('model.txt');
    await ann!.downloadArtifact(result!, join(folder, 'model.txt'));
    expect(logOf(await watchToEnd(ann!, job.id))).toContain('resumed in 2');
  });

  const submitted = async (script: string) =>
    unwrap(
      await ann!.submit({
        ...{ kind: 'process.run', params: { command: ['sh', '-c', script] } },
        deviceSelector: { kind: 'cpu' },
      }),
    ).job.id;
  /** What its last attempt wrote to stdout, as raw bytes. */
  const rawLogOf = (job: Awaited<ReturnType<NodeClient['job']>> | undefined) =>
    job?.attempts.at(-1)?.artifacts.find(({ role, name }) => role === 'LOG' && name === 'stdout.log');
  const bytesOf = async (file: ReturnType<typeof rawLogOf>) => {
    await ann!.downloadArtifact(file!, join(folder, 'downloaded'));
    return readFileSync(join(folder, 'downloaded'));
  };
  /** The most memory that the worker, or the runner above a program, has ever held, in kB. */
  const peakOf = (status: string) => Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]);
  const peakOfWorker = () => peakOf(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'));

  test('may write a line of 20 MB and a flood: every byte is kept, and little of it held', async () => {
    const before = peakOfWorker();
    const script = `head -c ${giantLine} /dev/zero | tr '\\000' x; echo; yes ${floodLine.trim()} | head -c ${flood}
      grep VmHWM /proc/$PPID/status > $GJM_OUTPUT_DIR/memory`;
    const id = await submitted(script);
    const events = await watchToEnd(ann!, id);
    const done = await ann!.job(id);
    expect(done).toMatchObject({ status: 'SUCCEEDED', attempts: [{ outcome: 'SUCCEEDED' }] });
    const whole = `${'x'.repeat(giantLine)}\n${floodLine.repeat(flood / floodLine.length)}`;
    const log = rawLogOf(done);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(log).toMatchObject({ bytes: whole.length, sha256 });
    expect((await bytesOf(log)).toString('latin1') === whole).toBe(true);
    // What is shown ends where the operator says, with the giant line cut.
    const shown = logOf(events);
    expect(shown.length).toBeLessThanOrEqual(logBytes);
    expect(shown.slice(0, 70_000)).toBe(`${'x'.repeat(65_535)}\n${'x'.repeat(4_464)}`);
    expect(logOf(events, 'SYSTEM')).toMatch(/log/);
    // Either would hold more if it waited for the end of the line, or did not wait for its readers.
    const memory = (await bytesOf(done?.artifacts.find(({ name }) => name === 'memory'))).toString();
    expect(peakOfWorker() - before).toBeLessThan(mostGrowthKb);
    expect(peakOf(memory)).toBeLessThan(mostRunnerKb);
  }, 30_000);

  test('show what carriage returns rewrite as progress, and the last of it as the line, too', async () => {
    const id = await submitted(`printf 'epoch 1\\n'; for n in 1 2 3; do printf "\\r$n of 3"; done; echo`);
    const events = await watchToEnd(ann!, id);
    const progress = events.flatMap((event) =>
      event.__typename === 'JobProgressEvent' ? [event.progress.message] : [],
    );
    // Those that come fast are told less often, but the last one always.
    expect(progress.at(-1)).toBe('3 of 3');
    expect(logOf(events)).toBe('epoch 1\n3 of 3\n');
    const done = await ann!.job(id);
    expect(done?.status).toBe('SUCCEEDED');
    expect(await bytesOf(rawLogOf(done))).toEqual(Buffer.from('epoch 1\n\r1 of 3\r2 of 3\r3 of 3\n'));
  });

  test('are run from a terminal with a folder of files, and their results come back', async () => {
    const { home } = shell;
    mkdirSync(join(home, 'project/data/.git'), { recursive: true });
    writeFileSync(
      join(home, 'project/main.sh'),
      'cat data/a.txt > "$GJM_OUTPUT_DIR/$1"; ls -A data; echo $GREETING',
    );
    writeFileSync(join(home, 'project/data/a.txt'), 'from a file');
    writeFileSync(join(home, 'project/data/.git/config'), 'x');
    const command = ['--files', 'project', '--env', 'GREETING=a=b', '--expect', '*.txt', '--device', 'cpu'];
    const ran = await shell.run(['run', ...command, '--out', 'results', '--', 'sh', 'main.sh', 'out.txt']);
    expect(ran).toMatchObject({ code: 0, stdout: 'a.txt\na=b\n' });
    expect(ran.stderr).toMatch(/^job_\w+ SUCCEEDED/);
    expect(readFileSync(join(home, 'results/out.txt'), 'utf8')).toBe('from a file');
    const failed = await shell.run(['run', '--device', 'cpu', '--', 'sh', '-c', 'echo why >&2; exit 3']);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^why\njob_\w+ FAILED: .*exited with code 3/);
    expect((await shell.run(['run', '--files', 'nowhere', '--', 'true'])).code).toBe(2);
  });

  /** Whatever runs there: only one is at work, and the others are made again. */
  function killRunners(): void {
    for (const name of readdirSync(join(folder, 'run')))
      process.kill(-Number(/\d+/.exec(name)?.[0]), 'SIGKILL');
  }
});
