import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFolderStore } from '@gjm/server/artifacts/folder.js';
import { openDataFolder } from '@gjm/stack/data-folder.js';
import { postgresHomeOf } from '@gjm/stack/postgres-place.js';
import { livingProcesses } from '@gjm/worker/containment/living-processes.js';
import { sharedStack } from '../support/environment.js';
import { until } from '../support/until.js';
import { isSuperuser, ProgramWorker, removeUsers, runAs, secretToken, skipReason } from './program-worker.js';

const user = runAs('containment');

/** Ignores SIGTERM with all that it starts, some of which leaves its session. */
const stubborn = `
  trap "" TERM
  setsid -f sleep 300
  (setsid sh -c 'sleep 300 & sleep 300') &
  echo up
  while :; do sleep 1; done`;

/** Tries to read each path that it is given, what processes were started with, and to meddle. */
const curious = `
  cat /proc/*/environ /proc/*/cmdline | tr '\\000' '\\n'
  for path in "$@"; do
    echo TRIED; ls "$path/." && echo "LISTED $path"; cat "$path" && echo "READ $path"
  done
  ls "$HOME/../.." && echo "LISTED all programs"
  echo "AS $(id -un)"; kill -0 1 && echo "MAY KILL"; touch "$HOME/../x" && echo "WROTE"; exit 0`;

/** Files and folders of the server, its database and what it keeps for users: all of them exist. */
async function pathsOfServer(folder: string): Promise<string[]> {
  const { dataDir } = sharedStack();
  const home = postgresHomeOf(await openDataFolder(dataDir));
  const data = join(home, 'data');
  // A folder of the operator's choice may be open to all: then each file in it is still closed.
  const [artifacts, key] = [join(folder, 'artifacts'), 'artifacts/job_1/art_1'];
  await createFolderStore(artifacts).put(key, Readable.from([Buffer.from('mine')]), { maxBytes: 100 });
  const paths = [
    ...[dataDir, join(dataDir, 'artifacts'), join(dataDir, 'secrets'), join(dataDir, 'logs')],
    // With a database of the operator's own there is none of ours.
    ...(existsSync(home) ? [home, data, join(data, 'PG_VERSION'), join(data, 'base')] : []),
    join(artifacts, key),
  ];
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  return paths;
}

(isSuperuser ? describe : describe.skip)(`programs${skipReason}`, () => {
  let worker: ProgramWorker;
  let nobodysFolder: string | null = null;
  beforeEach(async () => {
    worker = await ProgramWorker.open();
  });
  afterEach(() => worker.close());
  afterAll(() => {
    if (nobodysFolder !== null) rmSync(nobodysFolder, { recursive: true });
    removeUsers(user);
    removeUsers(runAs('login'));
  });

  const idOf = (name: string): number => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
  /** Pids of whatever runs as the user of a slot. */
  const processesOf = (name: string): number[] => {
    const uid = idOf(name);
    return livingProcesses({ user: { name, uid, gid: uid }, keeping: 'user', mark: '' });
  };

  test.each(['namespace', 'user', 'mark'])(
    'that obey no signal and leave their session are gone after a cancel, a time-out and their end, kept by %s',
    async (keeping) => {
      await worker.start({ GJM_RUN_AS: user, GJM_PROGRAM_KEEPING: keeping });
      const cancelled = await worker.submit(['sh', '-c', stubborn]);
      await worker.saying(cancelled, 'up');
      // They are started beside each other; the loop's own comes and goes.
      await until('all of them live', () => processesOf(user).length >= 5);
      worker.cancel(cancelled);
      const end = await worker.endOf(cancelled);
      expect(end).toMatchObject({ outcome: 'CANCELLED', deviceClean: true });
      expect(end.reason).toMatch(/ended by force/);
      expect(processesOf(user)).toEqual([]);

      const { finish } = await worker.run(['sh', '-c', stubborn], { claim: { runMs: 1_500 } });
      expect(finish).toMatchObject({ outcome: 'FAILED', failure: { code: 'TIMEOUT' }, deviceClean: true });
      expect(processesOf(user)).toEqual([]);

      const left = await worker.run(['sh', '-c', 'setsid -f sleep 300; nohup sleep 300 & echo left']);
      expect(left).toMatchObject({ finish: { outcome: 'SUCCEEDED', deviceClean: true }, stdout: 'left\n' });
      expect(processesOf(user)).toEqual([]);
    },
  );

  test('that stop when asked may save first', async () => {
    await worker.start({ GJM_RUN_AS: user });
    const script = `
      trap 'cd $GJM_CHECKPOINT_DIR; echo late > .a; mv .a last.pt; echo saved; exit 0' TERM
      echo up; while :; do sleep 0.1; done`;
    const attemptId = await worker.submit(['sh', '-c', script]);
    await worker.saying(attemptId, 'up');
    worker.cancel(attemptId);
    const { outcome, reason } = await worker.endOf(attemptId);
    expect({ outcome, reason }).toEqual({
      outcome: 'CANCELLED',
      reason: 'Cancelled; the job stopped when asked (cooperative).',
    });
    expect(worker.textOf(attemptId, 'STDOUT')).toBe('up\nsaved\n');
    expect(processesOf(user)).toEqual([]);
  });

  test.each(['namespace', 'user', 'mark'])(
    'read neither the secrets of the worker, nor the data of the server, nor the files of another program, kept by %s',
    async (keeping) => {
      await worker.start({ GJM_RUN_AS: user, GJM_PROGRAM_KEEPING: keeping, GJM_CPU_SLOTS: '2' });
      const other = await worker.submit(['sh', '-c', 'echo mine > note; pwd; echo up; sleep 300'], {
        slot: 1,
      });
      await worker.saying(other, 'up');
      const [folder = ''] = worker.textOf(other, 'STDOUT').split('\n');
      expect(readdirSync(folder)).toEqual(['note']);
      writeFileSync(join(worker.folder, 'token-file'), secretToken, { mode: 0o600 });
      const paths = [
        ...[worker.folder, join(worker.folder, 'token-file'), join(worker.folder, 'instance-id')],
        ...[join(worker.folder, 'run'), join(worker.folder, 'scratch')],
        ...[folder, join(folder, 'note'), join(folder, '../out')],
        ...(await pathsOfServer(worker.folder)),
      ];
      const { finish, stdout } = await worker.run(['sh', '-c', `(${curious}) 2>&1`, 'sh', ...paths]);
      expect(finish.outcome).toBe('SUCCEEDED');
      const { databaseUrl, redisUrl } = sharedStack();
      const [ofDatabase = '', ofRedis = ''] = [databaseUrl, redisUrl].map((url) => new URL(url).password);
      // Not as a whole: it tells of all that runs here.
      const seen = (text: string) => stdout.includes(text);
      expect(['GJM_JOB_ID=', secretToken, ofDatabase, ofRedis].map(seen)).toEqual([
        true,
        false,
        false,
        false,
      ]);
      // The two programs are two users, and neither may look into a process of the other.
      const said = stdout.match(/^(TRIED|AS|LISTED|READ|MAY KILL|WROTE).*$/gm);
      expect(said).toEqual([...paths.map(() => 'TRIED'), expect.stringMatching(`^AS ${user}(-1)?$`)]);
      expect(finish.containment).not.toEqual((await endOfCancelled(other)).containment);
    },
  );

  async function endOfCancelled(attemptId: string) {
    worker.cancel(attemptId);
    return worker.endOf(attemptId);
  }

  test.each(['namespace', 'user'])(
    'are not left after their worker was killed and came back, nor is what they wrote, kept by %s',
    async (keeping) => {
      const env = { GJM_RUN_AS: user, GJM_PROGRAM_KEEPING: keeping };
      const first = await worker.start(env);
      const left = join(tmpdir(), `gjm-left-${process.pid}`);
      const attemptId = await worker.submit(['sh', '-c', `echo x > ${left}; ${stubborn}`]);
      await worker.saying(attemptId, 'up');
      first.child.kill('SIGKILL');
      await first.exit;
      if (keeping === 'namespace')
        await until('the program to be gone', () => processesOf(user).length === 0);
      expect(worker.programFolders()).toHaveLength(1);
      expect(existsSync(left)).toBe(true);
      await worker.start(env);
      expect(processesOf(user)).toEqual([]);
      expect(worker.programFolders()).toEqual([]);
      expect(existsSync(left)).toBe(false);
      const waiting = join(worker.folder, 'programs', 'removed');
      await until('what it wrote to be removed', () => readdirSync(waiting).length === 0);
    },
  );

  test('of two workers do not share a user, and no user is root or may sign in', async () => {
    await worker.start({ GJM_RUN_AS: user });
    const data = mkdtempSync(join(worker.folder, 'other-'));
    const second = worker.spawn({ GJM_RUN_AS: user, GJM_DATA_DIR: data });
    expect(await second.exit).not.toBe(0);
    expect(second.output()).toMatch(/Another worker of this machine runs programs as/);
    const third = worker.spawn({ GJM_RUN_AS: 'root', GJM_DATA_DIR: data });
    expect(await third.exit).not.toBe(0);
    expect(third.output()).toMatch(/Programs can not run as root/);
    spawnSync('useradd', ['--system', '--shell', '/bin/sh', runAs('login')]);
    const fourth = worker.spawn({ GJM_RUN_AS: runAs('login'), GJM_DATA_DIR: data });
    expect(await fourth.exit).not.toBe(0);
    expect(fourth.output()).toMatch(/who may sign in: name a user for programs alone/);
  });

  test('need leave to run as the user of a worker that can not change it', async () => {
    const nobody = idOf('nobody');
    // Not below the worker's own, which nobody can pass.
    const data = (nobodysFolder = mkdtempSync(join(tmpdir(), 'gjm-programs-nobody-')));
    chownSync(data, nobody, nobody);
    const refused = worker.spawn({ GJM_DATA_DIR: data }, nobody);
    expect(await refused.exit).not.toBe(0);
    expect(refused.output()).toMatch(
      /could read its token: start the worker as root, or set GJM_ALLOW_SAME_USER=1/,
    );
    await worker.start({ GJM_DATA_DIR: data, GJM_ALLOW_SAME_USER: '1' }, nobody);
    const { finish, stdout } = await worker.run([
      'sh',
      '-c',
      'setsid -f sleep 300; id -un; echo 1 > $GJM_OUTPUT_DIR/a',
    ]);
    expect(finish).toMatchObject({ outcome: 'SUCCEEDED', deviceClean: true });
    expect(finish.containment).toMatch(
      /ran as the worker's own user, and so could read the worker's secrets/,
    );
    expect(stdout).toBe('nobody\n');
    expect(finish.artifacts).toHaveLength(1);
  });
});
