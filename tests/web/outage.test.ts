import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { startReplica, type Replica } from './replica.js';
import { launch, visit, visitAs } from './visitor.js';
import { holdWire } from './wire.js';

/** What the pages talk to; it is stopped and started, while the workers go on with the shared server. */
let replica: Replica;
let browser: Browser;
let client: NodeClient;
beforeAll(async () => {
  [browser, replica] = await Promise.all([launch(), startReplica()]);
  client = await newUser(replica.url);
}, 20_000);
afterAll(async () => {
  client.close();
  await Promise.all([browser.close(), replica.close()]);
});

test('the link that the stack prints signs in once, and its token does not stay in the address', async () => {
  const { page, close } = await visit(browser);
  await page.goto(`${replica.url}/jobs?status=failed#sign-in=${replica.signInToken}`);
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
  expect(page.url()).toBe(`${replica.url}/jobs?status=failed`);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByText('admin@localhost, administrator').waitFor();
  await page.getByRole('button', { name: 'Make an invite link' }).click();
  const invite = await page.getByText('#invite=').textContent();
  const second = await visit(browser);
  await second.page.goto(`${replica.url}/#sign-in=${replica.signInToken}`);
  await second.page.getByRole('alert').filter({ hasText: /\w+/ }).waitFor();
  await second.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.page.goto('about:blank');
  await second.page.goto(invite ?? '');
  await second.page.getByRole('heading', { name: 'Create an account' }).waitFor();
  expect(await second.page.getByLabel('Invite').inputValue()).not.toBe('');
  await second.close();
  await close();
});

test('a job page lives through cut sockets and a server that is away: it says so, misses no line and recovers by itself', async () => {
  const id = await submitDiagnostic(
    client,
    { steps: 150, stepMs: 40, logLines: 5 },
    { name: 'through-it-all' },
  );
  await until('it runs', async () => (await client.job(id))?.progress);
  const { page, close } = await visitAs(browser, client, `/jobs/${id}`);
  await page
    .getByText(/step \d+ of 150/i)
    .first()
    .waitFor();
  await replica.stop();
  await page.getByText('Not live, reconnecting.').waitFor();
  await page
    .getByText(/^as of$/)
    .or(page.getByText(/as of \d\d:\d\d:\d\d/))
    .first()
    .waitFor();
  await replica.start();
  // Somebody returns to the tab: it does not rest until its next try.
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await page.getByText('Not live, reconnecting.').waitFor({ state: 'detached' });
  await until('it ends', () => page.locator('.jobhead').getByText('Succeeded').count(), 10_000);
  expect(await page.locator('.log .tx').allTextContents()).toEqual([
    'line 1',
    'line 2',
    'line 3',
    'line 4',
    'line 5',
  ]);
  await page.getByText('Final').waitFor();
  await close();
}, 40_000);

test('a socket that is closed, however it is closed, is opened again, and nothing is shown twice', async () => {
  const visitor = await visitAs(browser, client, '/submit');
  const wire = await holdWire(visitor.page);
  const id = await submitDiagnostic(client, { steps: 150, stepMs: 40, logLines: 3 }, { name: 'cut' });
  await until('it runs', async () => (await client.job(id))?.progress);
  await visitor.page.goto(`${replica.url}/jobs/${id}`);
  await visitor.page
    .getByText(/step \d+ of 150/i)
    .first()
    .waitFor();
  for (const code of [1000, 1011, 4403]) {
    const before = wire.sockets();
    wire.cut(code);
    await until(`another socket after ${code}`, () => wire.sockets() > before && wire.open() === 1);
  }
  await until('it ends', () => visitor.page.locator('.jobhead').getByText('Succeeded').count(), 10_000);
  expect(await visitor.page.locator('.log .tx').allTextContents()).toEqual(['line 1', 'line 2', 'line 3']);
  await visitor.close();
}, 20_000);

test('jobs that end while the page is away have ended when it returns, in the list and on the job page', async () => {
  const ids = await Promise.all(
    ['a', 'b'].map((name) =>
      submitDiagnostic(client, { steps: 1_000, stepMs: 50 }, { name: `away-${name}` }),
    ),
  );
  const [list, job] = await Promise.all([
    visitAs(browser, client, '/jobs?text=away'),
    visitAs(browser, client, `/jobs/${ids[0]}`),
  ]);
  await until('both run', async () => (await list.page.getByText('Running', { exact: true }).count()) === 3);
  await job.page.locator('.jobhead').getByText('Running').waitFor();
  for (const { page } of [list, job]) await page.context().setOffline(true);
  await list.page.getByText(/as of/).first().waitFor();
  for (const id of ids) {
    unwrap(await client.cancel(id));
    await watchToEnd(client, id);
  }
  for (const { page } of [list, job]) await page.context().setOffline(false);
  await until(
    'the list is right',
    async () => (await list.page.getByText('Cancelled', { exact: true }).count()) === 3,
  );
  await job.page.locator('.jobhead').getByText('Cancelled', { exact: true }).waitFor();
  await Promise.all([list.close(), job.close()]);
});

test('each page holds one subscription, and leaves none behind however fast one comes and goes', async () => {
  const id = await submitDiagnostic(client, { steps: 1_000, stepMs: 50 }, { name: 'to-and-fro' });
  const { page, close } = await visitAs(browser, client, '/submit');
  const wire = await holdWire(page);
  await page.goto(`${replica.url}/jobs`);
  await until('the list is followed', () => wire.open() === 1);
  const link = page.getByRole('link', { name: 'to-and-fro' });
  for (let i = 0; i < 8; i += 1) {
    await link.click();
    await page.goBack();
    await link.waitFor();
  }
  await link.click();
  await page
    .getByText(/step \d+ of 1000/i)
    .first()
    .waitFor();
  await until('only the job is followed', () => wire.open() === 1);
  expect(wire.sockets()).toBeLessThanOrEqual(2);
  await page.getByRole('link', { name: 'Submit' }).first().click();
  await until('nothing is followed', () => wire.open() === 0);
  await client.cancel(id);
  await close();
});
