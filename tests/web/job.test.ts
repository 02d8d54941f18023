import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { uploadText } from '../support/trained-model.js';
import { until } from '../support/until.js';
import { newUser, submitDiagnostic, watchToEnd } from '../support/user.js';
import { launch, visitAs, type Visitor } from './visitor.js';

const picture = join(cloneRoot, 'samples', 'harbour.png');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
let browser: Browser;
let client: NodeClient;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(sharedStack().url)]);
  visitor = await visitAs(browser, client, '/jobs');
  page = visitor.page;
});
afterAll(async () => {
  client.close();
  await browser.close();
});

const open = (id: string) => page.goto(`${client.url}/jobs/${id}`);
const status = (word: string) => page.locator('.jobhead').getByText(word, { exact: true });
const drawnLines = (): Promise<string[]> => page.locator('.log .tx').allTextContents();

test('a picture is submitted, watched live to its end, compared by keyboard and found among the artifacts', async () => {
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Image').setInputFiles(picture);
  await page.getByText('Uploaded').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('harbour');
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('heading', { name: 'harbour' }).waitFor();
  await until('it ends', () => status('Succeeded').count(), 20_000);
  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  expect(await slider.inputValue()).toBe('51');
  await page.getByText('After 512 × 384').waitFor();
  const artifact = page.getByRole('row').filter({ hasText: 'output.png' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    artifact.getByRole('link', { name: 'Download output.png' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('output.png');
  await page.getByText('Accepted: all checks passed.').waitFor();
  await page.getByText('checks, 2 passed').click();
  await page.getByText('engine-in-use').waitFor();
}, 40_000);

test('what the server refuses stands at its field, by path, and nothing of the form is lost', async () => {
  await page.goto(`${client.url}/submit?kind=diagnostic`);
  await page.getByLabel('Steps', { exact: true }).fill('many');
  await page.getByLabel('Name', { exact: true }).fill('kept');
  await page.getByText('Priority, time limit').click();
  await page.getByLabel('Priority').fill('101');
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.locator('.err').getByText('priority', { exact: true }).waitFor();
  await page.getByLabel('Priority').fill('70');
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.locator('.err').getByText('params.steps').waitFor();
  expect(await page.getByLabel('Steps', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Steps', { exact: true }).fill('2');
  await page.getByRole('switch', { name: 'Should fail' }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'kept' }).waitFor();
  await status('Failed').waitFor();
  await page.getByText('priority 70').waitFor();
  await page.locator('.says').getByText('WORKLOAD_ERROR').waitFor();
});

test('a running job is cancelled after a question, run again with the same params, and deleted', async () => {
  const id = await submitDiagnostic(client, { steps: 500, stepMs: 20 }, { name: 'on-and-off' });
  await open(id);
  await status('Running').waitFor();
  await page
    .getByText(/step \d+ of 500/i)
    .first()
    .waitFor();
  await page.keyboard.press('c');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
  await status('Cancelled').waitFor();
  await page.getByText('Asked to cancel').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' }); // keys are the dialog's while it is there
  await page.keyboard.press('r');
  await until('another job opens', () => !page.url().endsWith(id));
  await status('Running').waitFor();
  const again = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect((await client.job(again))?.params).toEqual((await client.job(id))?.params);
  unwrap(await client.cancel(again));
  await status('Cancelled').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete job' }).click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  expect(await client.job(again)).toBeNull();
});

test('an earlier job fills the form', async () => {
  const id = await submitDiagnostic(client, { steps: 7 }, { name: 'seven', labels: { team: 'vision' } });
  await open(id);
  await page.getByRole('button', { name: 'Change and rerun' }).click();
  await until(
    'the form is filled',
    async () => (await page.getByLabel('Steps', { exact: true }).inputValue()) === '7',
  );
  expect(await page.getByLabel('Labels').inputValue()).toBe('team=vision');
});

test('what comes from outside is text: markup, links and control codes in names, labels, logs and errors', async () => {
  const markup = '<img src=x onerror="window.__x=1">';
  const log = `${markup}\n\u001b[31m${markup}\u001b[0m\n\u001b]8;;javascript:window.__x=1\u0007link\u001b]8;;\u0007\n\u001b[2J\u001b[1;1Hcleared\n`;
  const id = await submitDiagnostic(
    client,
    { logBytes: base64(log), artifactBytes: 10 },
    { name: `${markup} \u202etxt`, labels: { team: markup } },
  );
  await watchToEnd(client, id);
  await open(id);
  await page.locator('.log').getByText('cleared').waitFor();
  expect(await drawnLines()).toEqual([
    markup,
    markup,
    '^[]8;;javascript:window.__x=1^Glink^[]8;;^G',
    '^[[2J^[[1;1Hcleared',
  ]);
  expect(await page.locator('.log .a-r').textContent()).toBe(markup);
  expect(await page.locator('h1').textContent()).toContain(markup);
  expect(await page.locator('main img, main a[href^="javascript"]').count()).toBe(0);
  await page.goto(`${client.url}/jobs`);
  await page.getByText(markup).first().waitFor();
  expect(await page.evaluate('window.__x')).toBeUndefined();
});

test('of two hundred thousand lines only those in sight are drawn; start, end, search and following are at once', async () => {
  const id = await submitDiagnostic(
    client,
    { logLines: 200_000, steps: 100, stepMs: 20 },
    { name: 'chatty' },
  );
  await until('everything is logged', async () => (await client.job(id))?.progress?.step);
  await open(id);
  await page.getByText('200,000 lines').waitFor();
  await page.locator('.log').getByText('line 200000', { exact: true }).waitFor();
  await page.getByText('Following').waitFor();
  expect((await drawnLines()).length).toBeLessThan(120);
  const started = performance.now();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('.log').getByText('line 1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End' }).click();
  await page.locator('.log').getByText('line 200000', { exact: true }).waitFor();
  expect(performance.now() - started).toBeLessThan(2_000);
  await page.keyboard.press('/');
  await page.keyboard.type('line 12345');
  await page.getByText('1 of 11').waitFor();
  await page.locator('.log .here').getByText('line 12345', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.log .here').getByText('line 123450', { exact: true }).waitFor();
  expect(await page.locator('.log li').count()).toBeLessThan(200);
  await client.cancel(id);
});

test('a reader who scrolled up stays there while lines come, is told how many, and returns', async () => {
  const id = await submitDiagnostic(client, { logLines: 200, steps: 400, stepMs: 20 }, { name: 'scrolled' });
  await open(id);
  await page.locator('.log').getByText('line 200', { exact: true }).waitFor();
  await page.locator('.log .lines').hover();
  await page.mouse.wheel(0, -1_000);
  await page.getByRole('button', { name: 'End' }).waitFor();
  const seen = (await drawnLines())[20];
  await until('time goes on', async () => ((await client.job(id))?.progress?.step ?? 0) > 40);
  expect((await drawnLines())[20]).toBe(seen);
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await page.getByText('Following').waitFor();
  await client.cancel(id);
});

test('what an attempt left besides results can be fetched from its lane: checkpoints and a raw log, and nothing else', async () => {
  const rows = Array.from({ length: 20 }, (_, row) => `${row},${row < 10 ? 'small' : 'large'}`);
  const data = await uploadText(client, 'table.csv', ['size,kind', ...rows].join('\n'));
  const params = { data, model: 'mlp', epochs: 2 };
  const training = unwrap(await client.submit({ kind: 'model.train', params, name: 'leaves checkpoints' }));
  await open(training.job.id); // what it leaves comes while the page is there
  const files = page.getByRole('list', { name: 'Files of attempt 1' });
  const last = files.getByRole('listitem').filter({ hasText: 'checkpoint-epoch-2.zip' });
  await until('the last checkpoint is there', () => last.count(), 20_000);
  await until('it ends', () => status('Succeeded').count(), 20_000);
  const [attempt] = (await client.job(training.job.id))?.attempts ?? [];
  const kept = attempt?.artifacts.filter(({ role }) => role === 'CHECKPOINT') ?? [];
  expect((await files.getByRole('link').allTextContents()).sort()).toEqual(
    kept.map(({ name }) => name).sort(),
  );
  const [download] = await Promise.all([page.waitForEvent('download'), last.getByRole('link').click()]);
  expect(download.suggestedFilename()).toBe('checkpoint-epoch-2.zip');
  const bytes = await readFile(await download.path());
  const stored = kept.find(({ name }) => name === 'checkpoint-epoch-2.zip');
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(stored?.sha256);

  const failing = { logLines: 3, shouldFail: true };
  await open(await submitDiagnostic(client, failing, { name: 'leaves a log' }));
  await status('Failed').waitFor();
  await files.getByText('stdout.log').waitFor();
  expect(await files.getByRole('link').count()).toBe(1);
}, 40_000);

test('a job that waits says why, for each device', async () => {
  const id = await submitDiagnostic(client, {}, { name: 'gpu-only', deviceSelector: { kind: 'gpu' } });
  await open(id);
  const why = page.getByRole('table').filter({ hasText: 'In the way' });
  await why.getByText('SELECTOR').waitFor();
  await why.getByText('is not a GPU').waitFor();
  await page.getByText('Place in line').waitFor();
  unwrap(await client.cancel(id));
  await status('Cancelled').waitFor();
});

test('the page complained of nothing: no script refused, no request failed', () => {
  expect(visitor.complaints).toEqual([]);
});
