import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { newUser } from '../support/user.js';
import { launch, visitAs } from './visitor.js';

let browser: Browser;
let client: NodeClient;
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(sharedStack().url)]);
});
afterAll(async () => {
  client.close();
  await browser.close();
});

const picture = async (name: string) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 8, height: 8, channels: 3, background: name } })
    .png()
    .toBuffer(),
});

test('a form takes several files of one param and a tier, lets one go again, and tells which one is bad', async () => {
  const { page, close } = await visitAs(browser, client, '/submit?kind=image.moderate');
  const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await page.locator('input[type=file]').setInputFiles([await picture('red'), text]);
  await page.getByText('Uploaded').nth(1).waitFor();
  await page.locator('input[type=file]').setInputFiles([await picture('teal')]);
  await page.getByText('Uploaded').nth(2).waitFor();
  await page.getByRole('radio', { name: 'inception-v3' }).check({ force: true });

  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('alert').getByText('params.images.1').waitFor();

  await page.getByRole('button', { name: 'Take the file away' }).nth(1).click();
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.waitForURL(/\/jobs\/job_/);
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  const job = await client.job(id);
  expect(job).toMatchObject({ kind: 'image.moderate', requestedTier: 'inception-v3' });
  const ids = job?.params['images'] as string[];
  const names = await Promise.all(ids.map(async (file) => (await client.file(file))?.name));
  expect(names).toEqual(['red.png', 'teal.png']);

  await page.goto(`${client.url}/submit?from=${id}`);
  await page.getByText('teal.png').waitFor();
  expect(await page.getByRole('radio', { name: 'inception-v3' }).isChecked()).toBe(true);
  await client.cancel(id);
  await close();
});
