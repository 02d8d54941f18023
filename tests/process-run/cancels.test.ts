import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import { livingProcesses } from '@gjm/worker/containment/living-processes.js';
import { until } from '../support/until.js';
import { isSuperuser, ProgramWorker, removeUsers, runAs, skipReason } from './program-worker.js';

const user = runAs('cancels');
/** Five at once, in five rounds for each of two ways of keeping them. */
const [atOnce, rounds] = [5, 5];
const slots = Array.from({ length: atOnce }, (_, slot) => slot);

/** Ignores SIGTERM with all that it starts, some of which leaves its session; the last is born while it is cancelled. */
const stubborn = `
  trap "" TERM
  setsid -f sleep 300
  (setsid sh -c 'sleep 300 & sleep 300') &
  echo up
  while :; do sleep 0.02; setsid -f sleep 300; done`;

(isSuperuser ? describe : describe.skip)(`fifty programs that are cancelled${skipReason}`, () => {
  let worker: ProgramWorker;
  beforeEach(async () => {
    worker = await ProgramWorker.open(20);
  });
  afterEach(() => worker.close());
  afterAll(() => removeUsers(user, atOnce));

  /** Pids of whatever runs as the user of any slot. */
  const living = (): number[] =>
    slots.flatMap((slot) => {
      const name = slot === 0 ? user : `${user}-${slot}`;
      const uid = Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
      return livingProcesses({ user: { name, uid, gid: uid }, keeping: 'user', mark: '' });
    });

  const holds = ({ attempts }: HeartbeatRequest, id: string) =>
    attempts.some(({ attemptId }) => attemptId === id);

  /** Every other round cancels while the program is being started, the rest when it has said something. */
  async function runAndCancel(slot: number, round: number) {
    const attemptId = await worker.submit(['sh', '-c', stubborn], { slot });
    if (round % 2 === 1)
      await until('its start', () => worker.server.beats.some((beat) => holds(beat, attemptId)), 15_000);
    else await worker.saying(attemptId, 'up');
    worker.cancel(attemptId);
    return worker.endOf(attemptId);
  }

  test.each(['namespace', 'user'])(
    'leave no process and a device that is well, kept by %s',
    async (keeping) => {
      const env = { GJM_RUN_AS: user, GJM_CPU_SLOTS: String(atOnce), GJM_PROGRAM_KEEPING: keeping };
      await worker.start(env);
      for (let round = 0; round < rounds; round += 1) {
        const ends = await Promise.all(slots.map((slot) => runAndCancel(slot, round)));
        for (const end of ends) expect(end).toMatchObject({ outcome: 'CANCELLED', deviceClean: true });
        expect(living()).toEqual([]);
      }
      const beats = worker.server.beats.length;
      await until('another beat', () => worker.server.beats.length > beats);
      expect(worker.server.beats.at(-1)?.devices).toMatchObject([{ health: 'OK' }]);
      expect((await worker.run(['true'])).finish.outcome).toBe('SUCCEEDED');
    },
    60_000,
  );
});
