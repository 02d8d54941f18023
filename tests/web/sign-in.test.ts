import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { freshEmail } from '../support/sign-in.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { emailOf, enter, launch, visit, visitAs } from './visitor.js';

const { url } = sharedStack();
let browser: Browser;
let client: NodeClient;
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(url)]);
});
afterAll(async () => {
  client.close();
  await browser.close();
});

test('a link to a job opens it after the sign-in, a reload keeps it, and nothing secret lies in the page', async () => {
  const id = await submitDiagnostic(client, {}, { name: 'deep-linked' });
  await watchToEnd(client, id);
  const { page, complaints, close } = await visit(browser);
  await page.goto(`${url}/jobs/${id}`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/jobs/${id}`);
  await enter(page, client);
  await page.getByRole('heading', { name: 'deep-linked' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'deep-linked' }).waitFor();
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  expect(kept).toBe('[{},{},""]');
  expect(complaints).toEqual([]);
  await close();
});

test('a wrong password is told in a sentence, and the form stays', async () => {
  const { page, close } = await visit(browser);
  await page.goto(url);
  await page.getByLabel('Email').fill(await emailOf(client));
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: /\w+/ }).waitFor();
  await enter(page, client);
  await close();
});

test('an account is made at the door; what is wrong with it stands at its field; signing out closes the page', async () => {
  const { page, close } = await visit(browser);
  await page.goto(url);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Email').fill(await emailOf(client));
  await page.getByLabel('Password').fill('long enough');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').filter({ hasText: /\w+/ }).waitFor();
  await page.getByLabel('Email').fill(freshEmail());
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await close();
});

test('one person sees nothing of another: no row, no page, no live change', async () => {
  const other = await newUser(url);
  const id = await submitDiagnostic(client, { steps: 100, stepMs: 50 }, { name: 'not-for-you' });
  const { page, close } = await visitAs(browser, other, '/jobs');
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  const own = await submitDiagnostic(other, {}, { name: 'my-own' });
  await page.getByRole('link', { name: 'my-own' }).waitFor();
  expect(await page.getByText('not-for-you').count()).toBe(0);
  await page.goto(`${url}/jobs/${id}`);
  await page.getByRole('heading', { name: 'There is no such job' }).waitFor();
  expect(await page.content()).not.toContain('not-for-you');
  await page.goto(`${url}/devices`);
  await page.getByText('Open for work').waitFor();
  expect(await page.getByText('not-for-you').count()).toBe(0);
  await client.cancel(id);
  await until('own job ends', async () => (await other.job(own))?.status === 'SUCCEEDED');
  other.close();
  await close();
});

test('a password is changed in the account’s dialog: what is wrong is told, and the page stays signed in', async () => {
  const person = await newUser(url);
  const email = await emailOf(person);
  const { page, close } = await visitAs(browser, person, '/jobs');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByLabel('Current password').fill('not the one');
  await page.getByLabel('New password').fill('battery staple');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('alert').filter({ hasText: 'The current password is wrong.' }).waitFor();
  await page.getByLabel('Current password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  expect(await person.viewer()).toBeNull();
  expect(await person.login({ email, password: 'battery staple' })).toMatchObject({
    __typename: 'SignInSuccess',
  });
  person.close();
  await close();
});
