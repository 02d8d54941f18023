import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { NodeClient } from '@gjm/client/node.js';
import { chromiumPath } from './environment.js';

/** How long a page may take for anything, in ms. */
const limitMs = 5_000;

/** Somebody in front of a page of their own: own cookies, own storage. */
export interface Visitor {
  page: Page;
  /** What the page's console complained about, and every exception: a script that was refused, a request that failed. */
  complaints: string[];
  close: () => Promise<void>;
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--disable-gpu'] });

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(limitMs);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints, close: () => context.close() };
}

/** The password of everybody that `newUser` makes. */
export const password = 'correct horse battery';

export const emailOf = async (client: NodeClient): Promise<string> => (await client.viewer())?.email ?? '';

/** Fills in the door's form and passes it; the page stays where its address says. */
export async function enter(page: Page, client: NodeClient): Promise<void> {
  await page.getByLabel('Email').fill(await emailOf(client));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('main').waitFor();
}

/** A visitor who is signed in as this client's person, by the cookie that a sign-in sets, on this page. */
export async function visitAs(
  browser: Browser,
  client: NodeClient,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const visitor = await visit(browser, options);
  const query = 'mutation ($input: LoginInput!) { login(input: $input) { __typename } }';
  await visitor.page.context().request.post(`${client.url}/graphql`, {
    data: { query, variables: { input: { email: await emailOf(client), password } } },
  });
  await visitor.page.goto(client.url + path, { waitUntil: 'commit' });
  return visitor;
}
