import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { launch, visitAs, type Visitor } from './visitor.js';

const nowhere = { deviceSelector: { name: 'no such device' } };
let browser: Browser;
let client: NodeClient;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(sharedStack().url)]);
  await submitDiagnostic(client, {}, { name: 'waits-for-ever', labels: { team: 'vision' }, ...nowhere });
  await watchToEnd(
    client,
    await submitDiagnostic(client, {}, { name: 'went-well', labels: { team: 'nlp' } }),
  );
  await watchToEnd(client, await submitDiagnostic(client, { shouldFail: true }, { name: 'went-badly' }));
  visitor = await visitAs(browser, client, '/jobs');
  page = visitor.page;
});
afterAll(async () => {
  client.close();
  await browser.close();
});

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const names = (): Promise<string[]> => page.locator('tr[data-id] a').allTextContents();

test('a job that comes while somebody reads waits behind a pill, and its row then changes by itself until the end', async () => {
  await row('went-badly').waitFor();
  const before = await names();
  const id = await submitDiagnostic(client, { steps: 40, stepMs: 50 }, { name: 'comes-later' });
  await page.getByRole('button', { name: '1 new job' }).waitFor();
  expect(await names()).toEqual(before);
  await page.keyboard.press('.');
  await row('comes-later').getByText('Running').waitFor();
  expect((await names())[0]).toBe('comes-later');
  await row('comes-later')
    .getByText(/step \d+ of 40/)
    .waitFor();
  unwrap(await client.cancel(id));
  await row('comes-later').getByText('Cancelled', { exact: true }).waitFor();
});

test('each row says one sentence: why it waits, why it failed, what it came to', async () => {
  await row('waits-for-ever').getByText('is not named no such device').waitFor();
  await row('went-badly').getByText('WORKLOAD_ERROR').waitFor();
  await row('went-well')
    .getByText(/^Done in/)
    .waitFor();
});

test('filters live in the address: chips, label and words narrow it, the way back widens it, a sent link shows the same', async () => {
  await page.goto(`${client.url}/jobs`);
  await row('went-well').waitFor();
  await page.getByRole('button', { name: 'Failed' }).click();
  await until('one row', async () => (await names()).join() === 'went-badly');
  expect(page.url()).toContain('?status=failed');
  await page.getByRole('button', { name: 'Queued' }).click();
  await until('two rows', async () => (await names()).length === 2);
  await page.goBack();
  await until('one row again', async () => (await names()).join() === 'went-badly');
  await page.goBack();
  await until('all rows', async () => (await names()).length > 3);
  await page.getByLabel('Add a label').fill('team=nlp');
  await page.keyboard.press('Enter');
  await until('the labelled one', async () => (await names()).join() === 'went-well');
  await page.keyboard.press('Escape');
  const second = await visitAs(browser, client, '/jobs?text=waits&kind=diagnostic');
  await second.page.getByRole('link', { name: 'waits-for-ever' }).waitFor();
  expect(await second.page.locator('tr[data-id]').count()).toBe(1);
  await second.page.getByLabel('Name or id').fill('nothing like it');
  await second.page.getByRole('heading', { name: 'No job matches' }).waitFor();
  await second.close();
});

test('the keyboard moves, opens, cancels and goes places, and sleeps while one types', async () => {
  const id = await submitDiagnostic(client, {}, { name: 'cancel-by-key', ...nowhere });
  await page.goto(`${client.url}/jobs`);
  await row('cancel-by-key').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Cancel cancel-by-key?' });
  await dialog.waitFor();
  expect(await page.locator(':focus').textContent()).toBe('Let it run');
  await dialog.getByRole('button', { name: 'Cancel job' }).click();
  await row('cancel-by-key').getByText('Cancelled', { exact: true }).waitFor();
  expect((await client.job(id))?.status).toBe('CANCELLED');
  await page.keyboard.press('/');
  await page.keyboard.type('gd?n');
  expect(await page.getByLabel('Name or id').inputValue()).toBe('gd?n');
  await page.getByLabel('Name or id').fill('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Devices' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to jobs').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await row('cancel-by-key').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'cancel-by-key' }).waitFor();
});

test('a job leaves a narrowed list when it no longer belongs there, and one that is deleted leaves every list', async () => {
  await page.goto(`${client.url}/jobs?status=queued`);
  await row('waits-for-ever').waitFor();
  const id = await submitDiagnostic(client, {}, { name: 'soon-gone', ...nowhere });
  await page.getByRole('button', { name: '1 new job' }).click();
  await row('soon-gone').waitFor();
  unwrap(await client.cancel(id));
  await row('soon-gone').waitFor({ state: 'detached' });
  await page.goto(`${client.url}/jobs`);
  await row('soon-gone').waitFor();
  unwrap(await client.deleteJob(id));
  await row('soon-gone').waitFor({ state: 'detached' });
});

test('hundreds of jobs are reached by scrolling, and few of them are drawn', async () => {
  const many = await newUser(client.url);
  await Promise.all(
    Array.from({ length: 130 }, (_, i) => submitDiagnostic(many, {}, { name: `many-${i}`, ...nowhere })),
  );
  const oldest = (await many.jobs({ first: 100, orderBy: { field: 'CREATED_AT', direction: 'ASC' } }))
    .nodes[0];
  const { page: list, close } = await visitAs(browser, many, '/jobs');
  await list.locator('tr[data-id]').first().waitFor();
  await until('the oldest is drawn', async () => {
    await list.mouse.wheel(0, 4_000);
    return (await list.locator(`tr[data-id="${oldest?.id}"]`).count()) > 0;
  });
  expect(await list.locator('tr[data-id]').count()).toBeLessThan(100);
  await list.keyboard.press('Home');
  await list.locator('tr[data-id]').first().waitFor();
  many.close();
  await close();
});

test('the page complained of nothing: no script refused, no request failed', () => {
  expect(visitor.complaints).toEqual([]);
});
