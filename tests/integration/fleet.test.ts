import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, unwrap, type NodeClient } from '@gjm/client/node.js';
import type { DeviceReport } from '@gjm/core/wire/worker-api.js';
import { Shell } from '../cli/gjm.js';
import { sharedStack } from '../support/environment.js';
import { Machine } from '../support/machine.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic } from '../support/user.js';

const gpu = (uid: string, over: Partial<DeviceReport> = {}): Partial<DeviceReport> => ({
  ...{ uid, name: uid, kind: 'GPU', engines: ['cuda'], slots: 1, memoryBytes: 16e9, memoryFreeBytes: 16e9 },
  telemetry: { utilisation: 0.5, memoryUsedBytes: 1e9, temperatureCelsius: 60, powerWatts: 100 },
  ...over,
});

let bench: ServerBench;
let database: pg.Client;
let admin: NodeClient;
let user: NodeClient;
let machine: Machine;
let shell: Shell;
let asAdmin: Record<string, string>;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const timing = { GJM_TICK_MS: '100', GJM_LEASE_MS: '60000', GJM_DISPATCH_MS: '60000' };
  const env = { ...(await bench.install()), ...timing, GJM_DIAGNOSTIC_JOBS: '1' };
  const { address } = await bench.start(env);
  database = new pg.Client(env['DATABASE_URL' as keyof typeof env]);
  await database.connect();
  const { token } = await signUp(address);
  admin = createClient({ url: address, accessToken: token });
  user = await newUser(address);
  shell = await Shell.open(address);
  asAdmin = { GJM_TOKEN: token };
  const audit = { engine: 'cuda', offered: false, code: 'DEVICE_IS_CPU', message: 'A CPU.', version: null };
  machine = await Machine.join(address, token, gpu('card-0'), gpu('card-1'), {
    slots: 1,
    engineAudit: [audit],
  });
}, 30_000);
afterAll(async () => {
  for (const client of [admin, user]) client.close();
  await shell.close();
  await database.end();
  await bench.close();
});

/** The living attempt of a job, once it has one. */
const placed = (jobId: string) =>
  until('it is placed', async () => {
    const { rows } = await database.query<{ id: string; uids: string[] }>(
      `SELECT a.id, array_agg(d.uid ORDER BY place) AS uids FROM attempts a JOIN attempt_devices ad ON ad.attempt_id = a.id
        JOIN devices d ON d.id = ad.device_id WHERE a.job_id = $1 AND state <> 'ENDED' GROUP BY a.id`,
      [jobId],
    );
    return rows[0];
  });
const codesOf = async (jobId: string) =>
  (await user.job(jobId))?.waiting?.reasons.map(({ code }) => code) ?? [];
const deviceOf = async (uid: string) => (await admin.devices()).find((device) => device.uid === uid)!;
const onGpu = { deviceSelector: { kind: 'gpu' } };
const finish = async (attemptId: string, more: object = {}) =>
  machine.finish(await machine.claim(attemptId), 'SUCCEEDED', [], { ...more, engine: 'cuda' });

test('a drained device finishes what it has and takes nothing new until it is undrained', async () => {
  const first = await placed(await submitDiagnostic(user, {}, onGpu));
  for (const uid of ['card-0', 'card-1'])
    unwrap(await admin.drain({ id: (await deviceOf(uid)).id, reason: 'new fans' }));
  const device = await deviceOf(first.uids[0]!);
  expect([device.health, device.healthReason]).toEqual(['DRAINING', 'It was drained by an ADMIN: new fans.']);
  expect(device.drain).toMatchObject({ until: null, reason: 'new fans' });
  const next = await submitDiagnostic(user, {}, onGpu);
  await until('it says why it waits', async () => (await codesOf(next)).includes('DEVICE_UNHEALTHY'));
  await finish(first.id);
  expect(await codesOf(next)).toContain('DEVICE_UNHEALTHY');
  unwrap(await admin.undrain(device.id));
  const second = await placed(next);
  expect(second.uids).toEqual([device.uid]);
  await finish(second.id);
  unwrap(await admin.undrain((await deviceOf('card-1')).id));
  expect((await deviceOf('card-1')).health).toBe('OK');
});

test('a drain of a worker counts for all of its devices, and ends by itself after its time', async () => {
  const worker = (await admin.workers())[0]!;
  const { devices } = unwrap(await admin.drain({ id: worker.id, forSeconds: 1 }));
  expect(devices.map(({ health }) => health)).toEqual(['DRAINING', 'DRAINING', 'DRAINING']);
  const attempt = await placed(await submitDiagnostic(user, {}, onGpu));
  expect((await admin.workers())[0]?.drain).toBeNull();
  await finish(attempt.id);
});

test('only an ADMIN drains, and an id that names neither device nor worker is not found', async () => {
  const { id } = await deviceOf('card-0');
  expect(await user.drain({ id })).toMatchObject({ __typename: 'ForbiddenProblem' });
  expect(await user.undrain(id)).toMatchObject({ __typename: 'ForbiddenProblem' });
  expect(await admin.drain({ id: 'dev_nothing' })).toMatchObject({ __typename: 'NotFoundProblem' });
  expect(await admin.drain({ id, forSeconds: 0 })).toMatchObject({
    __typename: 'ValidationProblem',
    fields: [{ path: ['forSeconds'] }],
  });
});

test('the terminal drains by name, for a time, and undrains; a name that nothing has is not found', async () => {
  const drained = await shell.run(['drain', 'card-0', '--for', '2h', '--reason', 'dust'], { env: asAdmin });
  expect([drained.code, drained.stderr]).toEqual([0, '']);
  expect(drained.stdout).toBe(
    `card-0 of ${machine.name} finishes what it runs and takes nothing new, for 2h.\n`,
  );
  const left = Date.parse((await deviceOf('card-0')).drain?.until ?? '') - Date.now();
  expect(Math.round(left / 3_600_000)).toBe(2);
  const undrained = await shell.run(['undrain', 'card-0'], { env: asAdmin });
  expect(undrained.stdout).toBe(`card-0 of ${machine.name} is OK.\n`);
  expect((await shell.run(['drain', 'nothing'], { env: asAdmin })).code).toBe(4);
  expect((await shell.run(['drain', 'card-0', '--for', 'ever'], { env: asAdmin })).code).toBe(2);
});

test('a CPU does not take what a GPU could take, until the job has waited long enough', async () => {
  const held = await Promise.all(
    [0, 1].map(async () => placed(await submitDiagnostic(user, {}, { ...onGpu }))),
  );
  const waits = await submitDiagnostic(user, {});
  await until('it waits for a GPU', async () => (await codesOf(waits)).includes('FALLBACK'));
  await database.query(`UPDATE jobs SET created_at = created_at - interval '2 minutes' WHERE id = $1`, [
    waits,
  ]);
  const attempt = await placed(waits);
  expect(attempt.uids).toEqual(['cpu']);
  const job = await user.job(waits);
  expect(job?.decisions.at(-1)?.summary).toContain('A fallback: no GPU was free in time.');
  expect(job?.attempts[0]?.audit).toMatchObject({
    wantedEngine: 'cuda',
    usedEngine: 'wasm',
    skipped: [
      { engine: 'cuda', code: 'DEVICE_IS_CPU' },
      { engine: 'webgpu', code: 'NOT_OFFERED' },
      { engine: 'native', code: 'NOT_OFFERED' },
    ],
  });
  await machine.finish(await machine.claim(attempt.id), 'SUCCEEDED');
  for (const { id } of held) await finish(id);
});

test('a job of several devices takes all of them at once or waits', async () => {
  const busy = await placed(await submitDiagnostic(user, {}, onGpu));
  const pair = await submitDiagnostic(user, {}, { deviceSelector: { kind: 'gpu', name: 'nowhere' } });
  await database.query(
    `UPDATE jobs SET device_count = 2, device_selector = '{"kind": "gpu"}' WHERE id = $1`,
    [pair],
  );
  await until('it waits for both', async () => (await codesOf(pair)).includes('DEVICE_BUSY'));
  await finish(busy.id);
  const attempt = await placed(pair);
  expect(attempt.uids.toSorted()).toEqual(['card-0', 'card-1']);
  const claimed = await machine.claim(attempt.id);
  expect(claimed.devices).toEqual(attempt.uids);
  expect((await user.job(pair))?.devices.map(({ name }) => name).toSorted()).toEqual(['card-0', 'card-1']);
  await machine.finish(claimed, 'SUCCEEDED', [], { engine: 'cuda' });
  await until('both are free', async () =>
    (await admin.devices()).every(({ slots }) => slots.every(({ holderName }) => holderName === null)),
  );
});

test('what attempts took is told, and what a kind was seen to need counts from then on', async () => {
  const usage = {
    ...{ peakUtilisation: 0.9, meanUtilisation: 0.5, peakMemoryBytes: 12e9, joules: 3_600, gpuSeconds: 2.5 },
    isEstimate: false,
  };
  const first = await submitDiagnostic(user, {}, onGpu);
  await finish((await placed(first)).id, { usage, containment: 'It ran as gjm-run.' });
  expect((await user.job(first))?.attempts[0]).toMatchObject({ usage, containment: 'It ran as gjm-run.' });
  await database.query(`UPDATE devices SET memory_free_bytes = 10e9 WHERE kind = 'GPU'`);
  const next = await submitDiagnostic(user, {}, onGpu);
  await until('it waits for memory', async () => (await codesOf(next)).includes('NO_MEMORY'));
  await database.query(`UPDATE devices SET memory_free_bytes = 16e9 WHERE uid = 'card-1'`);
  const attempt = await placed(next);
  expect(attempt.uids).toEqual(['card-1']);
  await finish(attempt.id, { usage: { ...usage, peakMemoryBytes: 2e9 } });
  const { rows } = await database.query(`SELECT kind, tier, engine, peak_bytes FROM learned_needs`);
  expect(rows).toEqual([{ kind: 'diagnostic', tier: '', engine: 'cuda', peak_bytes: '12000000000' }]);
});

test('what drivers say is in the API and in the metrics', async () => {
  const device = await deviceOf('card-0');
  expect(device.telemetry).toEqual({
    ...{ utilisation: 0.5, memoryUsedBytes: 1e9, temperatureCelsius: 60, powerWatts: 100 },
  });
  const text = await (await fetch(`${admin.url}/metrics`)).text();
  expect(text).toContain(`gjm_device_power_watts{device="${device.id}"} 100`);
});
