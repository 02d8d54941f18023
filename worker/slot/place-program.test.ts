import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { removeAll } from '../containment/left-files.js';
import { pinToAll } from '../containment/offer.js';
import { ProgramHost } from '../containment/program-host.js';
import { readEnvironment } from '../environment.js';
import { FixtureRunners, startMessage } from '../testing/fixture-runners.js';
import { until } from '../testing/until.js';
import { defer, type Deferred } from '../wait.js';
import { placeProgram, type ProgramPlaces } from './place-program.js';
import type { Granted } from './run-attempt.js';
import { Slot } from './slot.js';

const isSuperuser = process.getuid?.() === 0;
const user = 'gjm-test-place';
const module = fileURLToPath(new URL('../dist/child/runner.js', import.meta.url));
const log = pino({ level: 'silent' });

const claim: Granted = {
  ...{
    granted: true,
    jobId: 'job',
    attemptNumber: 1,
    ownerId: 'usr',
    kind: 'process.run',
    params: {},
    tier: null,
  },
  ...{ engine: 'process', devices: ['GPU-b', 'GPU-a'], inputs: [], checkpoints: [] },
  ...{ runMs: 60_000, leaseMs: 10_000, graceMs: 500 },
};

test('variables that take lists name all devices in their order, others the first', () => {
  const devices = [
    { uid: 'GPU-a', pin: { CUDA_VISIBLE_DEVICES: 'GPU-a', CUDA_DEVICE_ORDER: 'PCI_BUS_ID' } },
    { uid: 'GPU-b', pin: { CUDA_VISIBLE_DEVICES: 'GPU-b', CUDA_DEVICE_ORDER: 'PCI_BUS_ID' } },
  ];
  expect(pinToAll(devices, ['GPU-b', 'GPU-a'])).toEqual({
    CUDA_VISIBLE_DEVICES: 'GPU-b,GPU-a',
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
  });
  expect(pinToAll([{ uid: 'cpu', pin: { CUDA_VISIBLE_DEVICES: '' } }], ['cpu'])).toEqual({
    CUDA_VISIBLE_DEVICES: '',
  });
});

(isSuperuser ? describe : describe.skip)(
  `the place of a program${isSuperuser ? '' : ' (skipped: must run as root)'}`,
  () => {
    let runners: FixtureRunners;
    let slots: Slot[];
    let host: ProgramHost;
    let places: ProgramPlaces;
    /** Opens when files of programs may be removed. */
    let gate: Deferred<void>;
    beforeEach(() => {
      runners = new FixtureRunners();
      const answer = readEnvironment([], {
        ...{ GJM_SERVER: 'http://localhost', GJM_WORKER_TOKEN: 'x' },
        ...{ GJM_ALLOW_PROCESS_RUN: '1', GJM_RUN_AS: user },
      });
      if (!answer.ok || !answer.value.programs) throw new Error('no settings');
      const { programs: settings } = answer.value;
      gate = defer();
      const remove: typeof removeAll = (...args) => gate.promise.then(() => removeAll(...args));
      const options = { settings, dataDir: runners.folder, instanceId: 'me', variables: {}, log, remove };
      host = new ProgramHost(options);
      slots = [];
      places = {
        ...{ host, log },
        slotsOf: (uid) => slots.filter((slot) => slot.uid === uid),
        pinOf: (uids) => ({ CUDA_VISIBLE_DEVICES: uids.join(',') }),
        makeChild: (_, room) => runners.start('polite', { module, room, runFolder: runners.folder }),
      };
    });
    afterEach(async () => {
      gate.resolve();
      await Promise.all(slots.map((slot) => slot.close()));
      host.close();
      await runners.close();
    });
    afterAll(() => void spawnSync('userdel', [user]));

    function openSlot(uid: string, fixture: string): Slot {
      const options = { uid, index: 0, makeChild: () => runners.start(fixture), takesPrograms: true };
      const slot = new Slot({ ...options, log, onChange: () => undefined });
      slots.push(slot);
      slot.start();
      return slot;
    }

    test('has the devices of its attempt to itself: their warm children are gone before, and come back after', async () => {
      const [own, other, third] = ['GPU-b', 'GPU-a', 'GPU-c'].map((uid) => openSlot(uid, 'polite'));
      if (!own || !other || !third) throw new Error('no slots');
      await until(() => slots.every(({ engine }) => engine === 'wasm'), 'all slots to be warm');
      const warm = await own.acquire(10_000);
      if (!warm) throw new Error('no child');
      const pids = slots.map(({ childPid }) => childPid);
      const place = placeProgram(places, own, warm, claim);
      expect(await place.warm.fresh?.ready).toBeNull();
      expect(slots.map(({ engine }) => engine)).toEqual([null, null, 'wasm']);
      expect(warm.child.isOver).toBe(true);

      let said = '';
      place.warm.child.attach({
        message: () => undefined,
        output: (_, bytes) => (said += bytes.toString()),
        exit: () => undefined,
      });
      const params = { command: ['sh', '-c', 'echo $CUDA_VISIBLE_DEVICES'], env: {}, expect: [] };
      place.warm.child.send({ ...startMessage(params), kind: 'process.run' });
      await until(() => said !== '', 'the program to speak');
      expect(said).toBe('GPU-b,GPU-a\n');

      expect(await other.acquire(50)).toBeNull();
      await place.leave();
      own.release(warm, null);
      await until(() => slots.every(({ engine }) => engine === 'wasm'), 'all slots to be warm again');
      expect(place.warm.child.isOver).toBe(true);
      expect(slots.map(({ childPid }, index) => childPid === pids[index])).toEqual([false, false, true]);
    });

    test('gives its devices back while its files wait to be removed, out of reach of the next program', async () => {
      const slot = openSlot('GPU-a', 'polite');
      const warm = await slot.acquire(10_000);
      if (!warm) throw new Error('no child');
      const place = placeProgram(places, slot, warm, { ...claim, devices: [] });
      expect(await place.warm.fresh?.ready).toBeNull();
      const programs = join(runners.folder, 'programs');
      const left = `/tmp/gjm-test-place-${process.pid}`;
      const as = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
      const act = (script: string) => spawnSync('setpriv', [...as, 'sh', '-c', script]).status;
      const [work] = readdirSync(programs)
        .filter((name) => name !== 'removed')
        .map((name) => join(programs, name, 'work'));
      expect(act(`touch ${work}/a && mkdir ${left} && touch ${left}/a`)).toBe(0);

      await place.leave();
      slot.release(warm, null);
      await until(() => slot.engine === 'wasm', 'the slot to be warm again');
      expect([existsSync(work ?? ''), existsSync(left)]).toEqual([false, false]);
      const removed = join(programs, 'removed');
      const [name = ''] = readdirSync(removed);
      expect(existsSync(join(removed, name, 'work', 'a'))).toBe(true);
      expect(act(`ls ${removed}/${name}/work/. /tmp/gjm-removed-me-*/. | grep .`)).not.toBe(0);
      gate.resolve();
      await until(() => readdirSync(removed).length === 0, 'its files to be removed');
    });

    test('is there also where no engine works', async () => {
      const slot = openSlot('GPU-a', 'unusable');
      const bare = await slot.acquire(10_000);
      expect(bare?.engine).toBe('none');
      expect(slot.health.trouble).toBeNull();
      if (!bare) throw new Error('no turn');
      const place = placeProgram(places, slot, bare, { ...claim, devices: [] });
      expect(await place.warm.fresh?.ready).toBeNull();
      await place.leave();
      slot.release(bare, null);
      expect((await slot.acquire(10_000))?.engine).toBe('none');
    });
  },
);
