import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { until } from '../support/until.js';
import { newUser } from '../support/user.js';
import { faultsOf } from './axe.js';
import { emailOf, launch, visit, visitAs } from './visitor.js';

let bench: ServerBench;
let browser: Browser;
let url: string;
let admin: NodeClient;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = { ...(await bench.install()), GJM_WEB_DIR: join(cloneRoot, 'web', 'dist') };
  [[url], browser] = await Promise.all([bench.startMany(1, env) as Promise<[string]>, launch()]);
  admin = await newUser(url); // the first account
});
afterAll(async () => {
  admin.close();
  await browser.close();
  await bench.close();
});

test('an administrator disables, enables and promotes a user, and resets their password by a link', async () => {
  const person = await newUser(url);
  const email = await emailOf(person);
  const { page, complaints, close } = await visitAs(browser, admin, '/jobs');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Look after users' }).click();
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill(email);
  const row = page.getByRole('listitem').filter({ hasText: email });
  const rows = page.getByRole('list', { name: 'Users' }).getByRole('listitem');
  await until('only they are shown', async () => (await rows.count()) === 1);
  await row.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Leave it' }).click();
  expect(await person.viewer()).not.toBeNull();
  await row.getByRole('button', { name: 'Disable' }).click();
  await page
    .getByRole('dialog', { name: /^Disable/ })
    .getByRole('button', { name: 'Disable' })
    .click();
  await row.filter({ hasText: 'disabled' }).waitFor();
  expect(await person.viewer()).toBeNull();
  await row.getByRole('button', { name: 'Enable' }).click();
  await row.getByRole('button', { name: 'Make an administrator' }).click();
  await row.filter({ hasText: 'administrator,' }).waitFor();
  await row.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  const link = await page.getByRole('group', { name: 'Link' }).textContent();
  await row.filter({ hasText: 'no password' }).waitFor();
  expect(complaints).toEqual([]);
  await close();

  const visitor = await visit(browser);
  await visitor.page.goto(link ?? '');
  await visitor.page.getByRole('button', { name: 'Account' }).click();
  await visitor.page.getByRole('button', { name: 'Set a password' }).click();
  await visitor.page.getByLabel('New password').fill('battery staple');
  await visitor.page.getByRole('button', { name: 'Save the password' }).click();
  await visitor.page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  expect(await person.login({ email, password: 'battery staple' })).toMatchObject({
    __typename: 'SignInSuccess',
  });
  person.close();
  await visitor.close();
});

test('the dialog of users breaks no rule of axe, with a link and a question too', async () => {
  const person = await newUser(url);
  const { page, close } = await visitAs(browser, admin, '/jobs', { bypassCSP: true });
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Look after users' }).click();
  const row = page.getByRole('listitem').filter({ hasText: await emailOf(person) });
  await row.waitFor();
  const faults = await faultsOf(page, 'users');
  await row.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByRole('group', { name: 'Link' }).waitFor();
  faults.push(...(await faultsOf(page, 'users with a link')));
  await row.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog', { name: /^Disable/ }).waitFor();
  expect([...faults, ...(await faultsOf(page, 'users with a question'))]).toEqual([]);
  person.close();
  await close();
});

test('a user is not offered to look after others', async () => {
  const person = await newUser(url);
  const { page, close } = await visitAs(browser, person, '/jobs');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('button', { name: 'Look after users' }).count()).toBe(0);
  person.close();
  await close();
});
