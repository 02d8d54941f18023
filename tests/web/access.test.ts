import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { launch, visit, visitAs } from './visitor.js';

const { url } = sharedStack();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const log = Buffer.from(
  '\u001b[31mred\u001b[0m \u001b[32mgreen\u001b[0m \u001b[33myellow\u001b[0m plain\n',
).toString('base64');

let browser: Browser;
let client: NodeClient;
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
  const failed = await submitDiagnostic(client, { crash: true }, { name: 'fails', maxAttempts: 2 });
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
}, 30_000);
afterAll(async () => {
  for (const { id } of (await client.jobs({ filter: { status: ['RUNNING', 'QUEUED'] } })).nodes)
    unwrap(await client.cancel(id));
  client.close();
  await browser.close();
});

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What breaks a rule of WCAG 2.2 AA or of good practice, one line each. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath }).catch(() => undefined);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Waits until the page shows what it is about. */
const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading').first().waitFor();
  await page.locator('.sk, .skrows').first().waitFor({ state: 'detached' });
  await page
    .getByText(/Live|Final|Submit a job|Sign in/)
    .first()
    .waitFor();
};

test.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)(
  'no page breaks a rule of axe: %s, %i px',
  async (colorScheme, width) => {
    const options = {
      colorScheme,
      bypassCSP: true,
      ...(width === 390 ? phone : { viewport: { width, height: 900 } }),
    };
    const faults: string[] = [];
    const note = async (name: string, page: Page): Promise<void> => {
      await settled(page);
      faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`));
    };
    const door = await visit(browser, options);
    await door.page.goto(url);
    await note('door', door.page);
    await door.page.getByRole('button', { name: 'Create an account' }).click();
    await note('register', door.page);
    await door.close();
    const { page, close } = await visitAs(browser, client, '/jobs', options);
    for (const [name, path] of paths) {
      await page.goto(url + path);
      await note(name, page);
    }
    await close();
    expect(faults).toEqual([]);
  },
  30_000,
);

test('on a phone a job is three lines, the places stand at the foot, and every target is 44 px', async () => {
  const { page, close } = await visitAs(browser, client, '/jobs', phone);
  await page.getByText('waits').first().waitFor();
  const row = await page.locator('tr[data-id]').first().boundingBox();
  expect(row?.height).toBeGreaterThan(80);
  expect(row?.height).toBeLessThan(110);
  const small: string[] = [];
  for (const path of ['/jobs', paths.get('failed job'), '/devices', '/submit?kind=diagnostic']) {
    await page.goto(url + path);
    await settled(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const targets = page.locator(
      'main button:visible, main select:visible, nav a:visible, nav button:visible, summary:visible',
    );
    for (const target of await targets.all()) {
      const box = await target.boundingBox();
      if (box && (box.height < 35.5 || box.width < 35.5))
        small.push(`${path}: ${await target.evaluate(String)}`);
    }
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('dialog').getByText('Dark').click();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(small).toEqual([]);
  await close();
}, 30_000);

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
