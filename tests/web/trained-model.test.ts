import { createRequire } from 'node:module';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { NodeClient } from '@gjm/client/node.js';
import { openZip } from '@gjm/worker/workloads/archive/open-zip.js';
import { sharedStack } from '../support/environment.js';
import { artifactsOf, trainedModel, uploadText } from '../support/trained-model.js';
import { newUser } from '../support/user.js';
import { launch, visit } from './visitor.js';

let browser: Browser;
let client: NodeClient;
let folder: string;
beforeAll(async () => {
  [browser, client] = await Promise.all([launch(), newUser(sharedStack().url)]);
  folder = await mkdtemp(join(tmpdir(), 'gjm-trained-'));
});
afterAll(async () => {
  client.close();
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** TensorFlow.js as pages load it, without our code. */
const bundles = ['core', 'layers', 'backend-cpu'].map((name) => {
  const entry = createRequire(import.meta.url).resolve(`@tensorflow/tfjs-${name}/package.json`);
  return join(dirname(entry), 'dist', `tf-${name}.min.js`);
});
const site = 'http://model.test/';

/** Serves the files of an archive to a page, which stands at the site's root. */
async function serveArchive(page: Page, path: string): Promise<void> {
  const archive = await openZip(path);
  const files = new Map<string, Buffer>([['', Buffer.from('<!doctype html>')]]);
  for (const file of archive.files) files.set(file.name, Buffer.from(await file.read()));
  await archive.close();
  await page.route(`${site}**`, (route) => {
    const body = files.get(new URL(route.request().url()).pathname.slice(1));
    const contentType = body === files.get('') ? 'text/html' : 'application/octet-stream';
    return route.fulfill(body ? { body, contentType } : { status: 404 });
  });
  await page.goto(site);
}

const rows = [
  [0, 1],
  [39, 4],
  [20.5, -3],
];

/** What somebody's own page would do with a model and what is stored with it. */
const predictInPage = `(async () => {
  await tf.setBackend('cpu');
  const model = await tf.loadLayersModel('${site}model.json');
  const { labels, preprocessing } = model.getUserDefinedMetadata();
  const scale = (row) => preprocessing.columns.map(({ mean, deviation }, at) => (row[at] - mean) / deviation);
  const output = model.predict(tf.tensor2d(${JSON.stringify(rows)}.map(scale)));
  return JSON.stringify({ labels, columns: preprocessing.columns.map(({ name }) => name), probabilities: await output.array() });
})()`;

test('a browser with nothing but TensorFlow.js gives with a trained model.zip what model.predict gave', async () => {
  const model = await trainedModel(client);
  const input = await uploadText(
    client,
    'new.csv',
    ['size,age', ...rows.map((row) => row.join(','))].join('\n'),
  );
  const results = await artifactsOf(client, 'model.predict', { model: model.id, input });
  const [archive, told] = [join(folder, 'model.zip'), join(folder, 'predictions.json')];
  await client.downloadArtifact(model, archive);
  await client.downloadArtifact(results['predictions.json']!, told);
  const { labels, predictions } = JSON.parse(await readFile(told, 'utf8')) as {
    labels: string[];
    predictions: { probabilities: number[] }[];
  };

  const { page, complaints, close } = await visit(browser);
  await serveArchive(page, archive);
  for (const path of bundles) await page.addScriptTag({ path });
  const seen: unknown = JSON.parse(await page.evaluate<string>(predictInPage));
  expect(seen).toEqual({
    labels,
    columns: ['size', 'age'],
    probabilities: predictions.map(({ probabilities }) =>
      probabilities.map((value) => expect.closeTo(value, 5) as unknown),
    ),
  });
  expect(complaints).toEqual([]);
  await close();
});
