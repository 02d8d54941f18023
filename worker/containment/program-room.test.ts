import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from '@jest/globals';
import { FixtureRunners, startMessage } from '../testing/fixture-runners.js';
import { until } from '../testing/until.js';
import { livingProcesses } from './living-processes.js';
import { ProgramHost } from './program-host.js';
import { readEnvironment } from '../environment.js';

const isSuperuser = process.getuid?.() === 0;
const user = 'gjm-test-room';
const module = fileURLToPath(new URL('../dist/child/runner.js', import.meta.url));

/** Ended in each of these states, fifty programs in all. */
const [atOnce, rounds] = [5, 10];

(isSuperuser ? describe : describe.skip)(
  `a room for a program${isSuperuser ? '' : ' (skipped: must run as root)'}`,
  () => {
    const runners = new FixtureRunners();
    const answer = readEnvironment([], {
      ...{
        GJM_SERVER: 'http://localhost',
        GJM_WORKER_TOKEN: 'x',
        GJM_ALLOW_PROCESS_RUN: '1',
        GJM_RUN_AS: user,
      },
    });
    if (!answer.ok || !answer.value.programs) throw new Error('no settings');
    const { programs: settings } = answer.value;
    const options = {
      settings,
      dataDir: runners.folder,
      instanceId: 'me',
      variables: { PATH: '/usr/bin:/bin' },
      log: pino({ level: 'silent' }),
    };
    const host = new ProgramHost(options);
    afterAll(async () => {
      await runners.close();
      host.close();
      for (let slot = 0; slot < atOnce; slot += 1)
        spawnSync('userdel', [slot === 0 ? user : `${user}-${slot}`]);
    });

    /** Starts a program that leaves its session and ignores signals, and ends its runner at one moment or another. */
    async function startAndEnd(slot: number, round: number): Promise<number[]> {
      const room = host.makeRoom({ slot: `slot ${slot}`, jobId: 'job', attempt: 1, pin: {} });
      const child = runners.start('polite', {
        module,
        room,
        runFolder: runners.folder,
        log: pino({ level: 'silent' }),
      });
      let said = '';
      child.attach({
        message: () => undefined,
        output: (_, bytes) => (said += bytes.toString()),
        exit: () => undefined,
      });
      if (round % 5 > 0) await child.started;
      const script =
        'trap "" TERM; setsid -f sleep 300; setsid -f sh -c "sleep 300 & sleep 300"; echo up; sleep 300';
      const params = { command: ['sh', '-c', script], env: {}, expect: [] };
      if (round % 5 > 1) child.send({ ...startMessage(params), kind: 'process.run' });
      if (round % 5 > 2) await until(() => said.includes('up'), 'the program to be up', 20_000);
      expect(await child.end(round % 5 > 3 ? 50 : 0)).toBe(true);
      const [uid, name] = [Number(execFileSync('id', ['-u', slot === 0 ? user : `${user}-${slot}`])), user];
      const living = livingProcesses({ user: { name, uid, gid: uid }, keeping: 'user', mark: '' });
      await room.remove();
      return living;
    }

    test('tells of a signal that its runner died of, and leaves the error stream to the program', async () => {
      const room = host.makeRoom({ slot: 'slot 0', jobId: 'job', attempt: 1, pin: {} });
      const child = runners.start('crash', { room });
      let errors = '';
      child.attach({
        message: () => undefined,
        output: (stream, bytes) => (errors += stream === 'stderr' ? bytes.toString() : ''),
        exit: () => undefined,
      });
      await child.started;
      child.send(startMessage());
      expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
      expect(await child.pipesEnded(10_000)).toBe(true);
      expect(errors).toBe('');
      expect(await child.end(0)).toBe(true);
      await room.remove();
    });

    test('is empty after each of fifty programs that were ended, whatever they were at', async () => {
      for (let round = 0; round < rounds; round += 1) {
        const slots = Array.from({ length: atOnce }, (_, slot) => startAndEnd(slot, round));
        expect((await Promise.all(slots)).flat()).toEqual([]);
      }
      expect(existsSync(join(runners.folder, 'programs'))).toBe(true);
    }, 120_000);
  },
);
