import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { createClient, type NodeClient } from '@gjm/client/node.js';
import type { DeviceReport } from '@gjm/core/wire/worker-api.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { Machine } from '../support/machine.js';
import { ServerBench } from '../support/server-process.js';
import { signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic } from '../support/user.js';
import { faultsOf, settled } from './axe.js';
import { launch, password, visitAs, type Visitor } from './visitor.js';

const telemetry = { utilisation: 0.5, memoryUsedBytes: 1e9, temperatureCelsius: 60, powerWatts: 100 };
const audit = { engine: 'webgpu', offered: false, code: 'NOT_NEEDED', message: 'cuda works.', version: null };
const gpu = (name: string, over: Partial<DeviceReport> = {}): Partial<DeviceReport> => ({
  ...{ uid: name, name, kind: 'GPU', engines: ['cuda'], slots: 1, memoryBytes: 16e9, memoryFreeBytes: 15e9 },
  ...{ telemetry, engineAudit: [audit], ...over },
});
const notOnCpu = { engine: 'cuda', offered: false, code: 'DEVICE_IS_CPU', message: 'A CPU.', version: null };
const fleet: Partial<DeviceReport>[] = [
  gpu('card-0'),
  gpu('card-1', { health: 'LOST', healthReason: 'It fell off the bus.', telemetry: null }),
  gpu('H100 MIG 1g.10gb', { kind: 'MIG', uid: 'MIG-1', telemetry: null }),
  gpu('H100 MIG 3g.40gb', { kind: 'MIG', uid: 'MIG-2', telemetry: null, memoryBytes: 40e9 }),
  { slots: 1, engineAudit: [notOnCpu] },
];

let bench: ServerBench;
let database: pg.Client;
let browser: Browser;
let admin: NodeClient;
let machine: Machine;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  // The machine beats only when told to, however slow the computer is.
  const timing = { GJM_TICK_MS: '100', GJM_LEASE_MS: '600000', GJM_DISPATCH_MS: '600000' };
  const more = { ...timing, GJM_DIAGNOSTIC_JOBS: '1', GJM_WEB_DIR: join(cloneRoot, 'web', 'dist') };
  const env = { ...(await bench.install()), ...more };
  const [{ address }, started] = await Promise.all([bench.start(env), launch()]);
  browser = started;
  database = new pg.Client(env['DATABASE_URL' as keyof typeof env]);
  await database.connect();
  const { token } = await signUp(address, { password }); // the first account
  admin = createClient({ url: address, accessToken: token });
  machine = await Machine.join(address, token, ...fleet);
  visitor = await visitAs(browser, admin, '/devices', { bypassCSP: true });
  page = visitor.page;
}, 30_000);
afterAll(async () => {
  admin.close();
  await Promise.all([database.end(), browser.close()]);
  await bench.close();
});

/** The row of the device whose name starts so; a slice's name is its profile. */
const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, expanded: false }) });
const host = () => page.getByRole('region', { name: machine.name });

/** The living attempt of a job, once it has one. */
const placed = (jobId: string) =>
  until('it is placed', async () => {
    const query = `SELECT id FROM attempts WHERE job_id = $1 AND state <> 'ENDED'`;
    return (await database.query<{ id: string }>(query, [jobId])).rows[0]?.id;
  });

test('a device tells how busy, warm and full it is while that changes; one that tells nothing has no gauges', async () => {
  await row('card-0').getByText('50%').waitFor();
  await row('card-0').getByText('60°').waitFor();
  await row('card-0').getByRole('img', { name: '1.0 GB of 16.0 GB in use' }).waitFor();
  const busier = { ...telemetry, utilisation: 0.9, temperatureCelsius: 86, powerWatts: 250 };
  await machine.beat([gpu('card-0', { telemetry: busier })]);
  await row('card-0').getByText('90%').waitFor();
  await row('card-0').getByText('86° hot').waitFor();
  await row('card-0').getByText('250 W').waitFor();
  const name = 'Utilisation of the last 2 minutes: 50% to 90%';
  const line = row('card-0').getByRole('img', { name }).locator('.line');
  await until('the line has its step', async () =>
    /^M[^V]+H[^V]+V/.test((await line.getAttribute('d')) ?? ''),
  );
  expect(await row('CPU').locator('.gauge').count()).toBe(0);
  expect(await row('card-1').locator('.gauge').count()).toBe(0);
});

test('what is not OK says why, and slices of a GPU stand together', async () => {
  await row('card-1').getByText('It fell off the bus.').waitFor();
  await page.getByText('1 lost', { exact: true }).waitFor();
  await page.getByRole('img', { name: '1g.10gb free, 3g.40gb free' }).waitFor();
  await row('3g.40gb').waitFor();
  await host().getByText('card-0, card-1, CPU, H100').waitFor();
});

test('a device opens to its own engines, why others are not offered, and what its last benchmark found', async () => {
  const figures = { matmul_gflops_1024: 310.25 };
  await database.query(`UPDATE devices SET benchmark = $1 WHERE uid = 'card-0'`, [JSON.stringify(figures)]);
  await page.getByRole('button', { name: 'card-0 GPU' }).click();
  const detail = page.locator('tr.opened:not([hidden])');
  await detail.getByText('NOT_NEEDED').waitFor();
  await detail.getByText('Matrix product, 1024 × 1024').waitFor();
  await detail.getByText('310 GFLOP/s').waitFor();
  await page.getByRole('button', { name: 'card-0 GPU' }).click();
  await detail.waitFor({ state: 'detached' });
});

test('an ADMIN drains a device for an hour with a reason and ends it; a host says until when and why', async () => {
  await row('card-0').getByRole('button', { name: 'Drain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Drain card-0?' });
  await dialog.getByText('1 h', { exact: true }).click();
  await dialog.getByLabel('Reason').fill('new fans');
  expect(await faultsOf(page, 'drain')).toEqual([]);
  await dialog.getByRole('button', { name: 'Drain' }).click();
  await row('card-0')
    .getByText(/^It was drained by an ADMIN: new fans\. It ends at \d\d:/)
    .waitFor();
  const drain = (await admin.devices()).find(({ uid }) => uid === 'card-0')?.drain;
  expect(Date.parse(drain?.until ?? '') - Date.parse(drain?.since ?? '')).toBe(3_600_000);
  await row('card-0').getByRole('button', { name: 'Undrain' }).click();
  await row('card-0').getByText('OK').waitFor();

  await host().getByRole('button', { name: 'Drain host' }).click();
  const whole = page.getByRole('dialog', { name: `Drain ${machine.name}?` });
  await whole.getByText('nothing new starts on its 5 devices').waitFor();
  await whole.getByLabel('Reason').fill('it moves');
  await whole.getByRole('button', { name: 'Drain' }).click();
  await host().getByText('It ends when an ADMIN undrains it. Why: it moves').waitFor();
  await row('CPU').getByText('Its worker was drained by an ADMIN: it moves.').waitFor();
  await page.getByRole('button', { name: 'card-0 GPU' }).click();
  expect(await faultsOf(page, 'a drained host with a device open')).toEqual([]);
  await host().getByRole('button', { name: 'Undrain host' }).click();
  await row('CPU').getByText('OK').waitFor();
});

test('a user sees all of it and is offered no drain; on a phone every target is 44 px', async () => {
  const person = await newUser(admin.url);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const other = await visitAs(browser, person, '/devices', phone);
  await other.page.getByText('It fell off the bus.').waitFor();
  expect(await other.page.getByRole('button', { name: /Drain/i }).count()).toBe(0);
  await other.close();
  person.close();
  const mine = await visitAs(browser, admin, '/devices', phone);
  await settled(mine.page);
  expect(await mine.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  const heights = await mine.page
    .locator('.host button:visible')
    .evaluateAll((all) => all.map((it) => (it as unknown as { offsetHeight: number }).offsetHeight));
  expect(heights.filter((height) => height < 44)).toEqual([]);
  await mine.close();
});

test('an attempt says what it took, as whom it ran and why not on a better engine; several devices are all named', async () => {
  const usage = {
    peakUtilisation: 0.9,
    meanUtilisation: 0.5,
    peakMemoryBytes: 12e9,
    joules: 7_200,
    gpuSeconds: 2.5,
  };
  const more = { usage: { ...usage, isEstimate: true }, containment: 'It ran as gjm-run.' };
  const id = await submitDiagnostic(admin, {}, { deviceSelector: { kind: 'cpu' } });
  await machine.finish(await machine.claim(await placed(id)), 'SUCCEEDED', [], more);
  await page.goto(`${admin.url}/jobs/${id}`);
  const took = page.getByLabel('What attempt 1 took');
  await took.getByText('50%').waitFor();
  expect((await took.innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'busy, mean 50% busy, peak 90% memory, peak 12.0 GB energy 2 Wh GPU time 2.5 s an estimate: the device was shared',
  );
  await page.getByText('It ran as gjm-run.').waitFor();
  await page.getByText('Why wasm and not cuda').click();
  await page.getByText('DEVICE_IS_CPU').waitFor();
  expect(await faultsOf(page, 'a job with notes')).toEqual([]);

  // Only whole cards go together.
  await database.query(`UPDATE devices SET health = 'OK', health_reason = NULL WHERE uid = 'card-1'`);
  const cards = { deviceSelector: { kind: 'gpu', worker: machine.name } };
  const pair = await submitDiagnostic(admin, {}, { deviceSelector: { kind: 'gpu', name: 'nowhere' } });
  await database.query(`UPDATE jobs SET device_count = 2, device_selector = $2 WHERE id = $1`, [
    pair,
    JSON.stringify(cards.deviceSelector),
  ]);
  const claimed = await machine.claim(await placed(pair));
  await page.goto(`${admin.url}/jobs/${pair}`);
  await page.getByText('on 2 devices at once').waitFor();
  await page.locator('.facts').getByText('Devices').waitFor();
  const { devices = [] } = (await admin.job(pair)) ?? {};
  await page
    .locator('.who-did')
    .getByText(devices.map(({ name }) => name).join(', '))
    .waitFor();
  await machine.finish(claimed, 'SUCCEEDED', [], { engine: 'cuda' });
});

test('a job that waits for a GPU says that the CPU is kept free for now', async () => {
  const gpus = (await admin.devices()).filter(({ kind, health }) => kind !== 'CPU' && health === 'OK');
  const onGpu = { deviceSelector: { kind: 'gpu' } };
  for (const _ of gpus) await placed(await submitDiagnostic(admin, {}, onGpu));
  await page.goto(`${admin.url}/jobs/${await submitDiagnostic(admin, {})}`);
  const why = page.getByRole('row').filter({ hasText: 'FALLBACK' });
  await why.getByText(/CPU is slower than .+, which is not free now: it is used in \d+ s\./).waitFor();
});

test('the page complained of nothing', () => {
  expect(visitor.complaints).toEqual([]);
});
