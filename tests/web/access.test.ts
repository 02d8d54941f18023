import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { faultsOf, settled } from './axe.js';
import { launch, visit, visitAs, type Visitor } from './visitor.js';

const { url } = sharedStack();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const log = Buffer.from(
  '\u001b[31mred\u001b[0m \u001b[32mgreen\u001b[0m \u001b[33myellow\u001b[0m plain\n',
).toString('base64');

let browser: Browser;
let client: NodeClient;
let reader: Visitor;
const paths = new Map<string, string>();
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(url)]);
  const nowhere = { deviceSelector: { kind: 'gpu' } };
  const waiting = await submitDiagnostic(
    client,
    {},
    { name: 'waits', labels: { team: 'vision' }, ...nowhere },
  );
  const running = await submitDiagnostic(
    client,
    { steps: 1_000, stepMs: 50, logBytes: log },
    { name: 'runs' },
  );
  const failed = await submitDiagnostic(
    client,
    { logLines: 2, crash: true },
    { name: 'fails', maxAttempts: 2 },
  );
  await watchToEnd(client, failed);
  paths
    .set('list', '/jobs')
    .set('empty list', '/jobs?text=nothing+like+it')
    .set('waiting job', `/jobs/${waiting}`)
    .set('running job', `/jobs/${running}`)
    .set('failed job', `/jobs/${failed}`)
    .set('unknown job', '/jobs/job_00000000000000000000000000')
    .set('devices', '/devices')
    .set('submit', '/submit?kind=diagnostic');
  reader = await visitAs(browser, client, '/jobs', { bypassCSP: true });
}, 30_000);
afterAll(async () => {
  for (const { id } of (await client.jobs({ filter: { status: ['RUNNING', 'QUEUED'] } })).nodes)
    unwrap(await client.cancel(id));
  client.close();
  await browser.close();
});

test('the door breaks no rule of axe, light and dark, wide and narrow', async () => {
  const { page, close } = await visit(browser, { bypassCSP: true });
  await page.goto(url);
  const faults = await faultsOf(page, 'door');
  await page.getByRole('button', { name: 'Create an account' }).click();
  expect([...faults, ...(await faultsOf(page, 'register'))]).toEqual([]);
  await close();
});

test.each([
  'list',
  'empty list',
  'waiting job',
  'running job',
  'failed job',
  'unknown job',
  'devices',
  'submit',
])('the page of the %s breaks no rule of axe, light and dark, wide and narrow', async (name) => {
  const { page } = reader;
  await page.goto(url + paths.get(name), { waitUntil: 'commit' });
  expect(await faultsOf(page, name)).toEqual([]);
});

/** Targets in sight that a thumb would miss, as markup. */
const smallTargets = `[...document.querySelectorAll('main :is(button, select, summary), nav :is(a, button), .acts button')]
  .filter((it) => it.checkVisibility())
  .filter((it) => { const { width, height } = (it.closest('.chip') ?? it).getBoundingClientRect(); return width < 43.5 || height < 43.5; })
  .filter((it) => !it.closest('p, .side'))
  .map((it) => it.outerHTML.slice(0, 120))`;

test('on a phone a job is three lines, the places stand at the foot, and every target is 44 px', async () => {
  const { page, close } = await visitAs(browser, client, '/jobs', phone);
  await page.getByText('waits').first().waitFor();
  const row = await page.locator('tr[data-id]').first().boundingBox();
  expect(row?.height).toBeGreaterThan(80);
  expect(row?.height).toBeLessThan(110);
  for (const path of ['/jobs', paths.get('failed job'), '/devices', '/submit?kind=diagnostic']) {
    await page.goto(url + path, { waitUntil: 'commit' });
    await settled(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate(smallTargets)).toEqual([]);
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog').getByText('Dark').click();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await close();
});

test('what the page loads first is at most 80 kB of JavaScript, gzipped', async () => {
  const { page, close } = await visit(browser);
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.body());
  });
  await page.goto(url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(80_000);
  await close();
});
