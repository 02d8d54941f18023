import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../testing/until.js';
import { endProcesses } from './end-processes.js';
import { livingProcesses } from './living-processes.js';
import { markVariable, type ProgramUser } from './program-task.js';
import { findTools } from './tools.js';

const isSuperuser = process.getuid?.() === 0;
const name = 'gjm-test-end';
/** Processes that the program may have. */
const most = 60;

/** Forks all the time, in all of its processes: one that is ended makes room for another. A shell would end when it can not. */
const bomb = ['perl', '-e', '$SIG{CHLD} = "IGNORE"; fork while 1'];

(isSuperuser ? describe : describe.skip)(
  `processes of a program${isSuperuser ? '' : ' (skipped: must run as root)'}`,
  () => {
    let user: ProgramUser;
    beforeAll(() => {
      spawnSync('useradd', ['--system', '--user-group', '--no-create-home', name]);
      const idOf = (of: string): number => Number(execFileSync('id', [of, name]));
      user = { name, uid: idOf('-u'), gid: idOf('-g') };
    });
    afterEach(() => void spawnSync('setpriv', [...asUser(), 'sh', '-c', 'kill -s KILL -- -1']));
    afterAll(() => void spawnSync('userdel', [name]));

    const living = (): number[] => livingProcesses({ user, keeping: 'user', mark: '' });

    const uidsOf = (pid = 0) => /^Uid:.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0] ?? '';
    const asUser = (): string[] => [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];

    async function explode(): Promise<void> {
      const limited = ['prlimit', `--nproc=${most}`, ...bomb];
      spawn('setpriv', [...asUser(), ...limited], { stdio: 'ignore', detached: true });
      await until(() => living().length > most / 2, 'the program to have many processes');
    }

    test('are ended by one call', async () => {
      await explode();
      expect(await endProcesses({ user, keeping: 'user', mark: '', tools: findTools() })).toBe(true);
      expect(living()).toEqual([]);
    });

    test('are ended one by one when no process can be started for it', async () => {
      await explode();
      const tools = { ...findTools(), setpriv: '/nowhere/setpriv' };
      expect(await endProcesses({ user, keeping: 'user', mark: '', tools })).toBe(true);
      expect(living()).toEqual([]);
    });

    test('are ended one by one when their user has as many as the worker may give it', async () => {
      await explode();
      // Beyond the limit that this process hands on, nothing begins as that user.
      const prlimit = (...args: string[]): string =>
        execFileSync('prlimit', ['--pid', String(process.pid), ...args], { encoding: 'utf8' });
      const before = prlimit('--nproc', '--noheadings', '--raw', '--output=SOFT').trim();
      prlimit(`--nproc=${most / 4}:`);
      try {
        expect(await endProcesses({ user, keeping: 'user', mark: '', tools: findTools() })).toBe(true);
      } finally {
        prlimit(`--nproc=${before}:`);
      }
      expect(living()).toEqual([]);
    });

    test('are ended while they are still on their way to their user, and no other user makes them seem so', async () => {
      const mark = `mark-${process.pid}`;
      const start = (args: string[]) =>
        spawn('setpriv', [...args, 'sleep', '300'], {
          env: { PATH: '/usr/bin:/bin', [markVariable]: mark },
          stdio: 'ignore',
        });
      const onItsWay = start([]);
      const somebody = start(['--reuid=65534', '--clear-groups']);
      const ended = once(onItsWay, 'exit');
      const known = () => livingProcesses({ user, keeping: 'user', mark });
      await until(
        () => known().length === 1 && uidsOf(somebody.pid).includes('65534'),
        'both to be what they are',
      );
      expect(known()).toEqual([onItsWay.pid]);
      expect(await endProcesses({ user, keeping: 'user', mark, tools: findTools() })).toBe(true);
      expect(await ended).toEqual([null, 'SIGKILL']);
      expect(somebody.exitCode).toBeNull();
      somebody.kill('SIGKILL');
    });

    test('that stop whoever comes to end them are ended all the same', async () => {
      const loop = 'while :; do kill -s STOP -- -1; done';
      const program = spawn('setpriv', [...asUser(), 'sh', '-c', loop], { stdio: 'ignore' });
      await until(() => living().length > 0, 'the program to run');
      const ended = once(program, 'exit');
      expect(await endProcesses({ user, keeping: 'user', mark: '', tools: findTools() })).toBe(true);
      await ended;
      expect(living()).toEqual([]);
    });
  },
);
