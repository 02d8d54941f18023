import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { unwrap } from '@gjm/client/node.js';
import { optionalPackages } from '@gjm/worker/packages-folder.js';
import { newPerson, type Person } from '../cli/gjm.js';
import { sharedStack } from '../support/environment.js';
import { newUser, statusesOf, watchToEnd } from '../support/user.js';

let person: Person;
let folder: string;
beforeAll(async () => {
  person = await newPerson(sharedStack().url);
  folder = await mkdtemp(join(tmpdir(), 'gjm-moderate-'));
});
afterAll(async () => {
  await person.close();
  await rm(folder, { recursive: true, force: true });
});

const picture = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
const upload = async (bytes: Buffer, client = person.client): Promise<string> =>
  (await client.upload({ name: 'a.png', source: bytes, bytes: bytes.length })).id;
/** A job that waits, so that only what was stored of it matters. */
const never = { deviceSelector: { name: 'no such device' } };

test('every bad file of a list is told in one answer, by its place', async () => {
  const other = await newUser(sharedStack().url);
  const foreign = await upload(await picture('red'), other);
  other.close();
  const images = [
    await upload(await picture('teal')),
    await upload(Buffer.from('no picture')),
    foreign,
    'nonsense',
    4,
  ];
  const refusal = await person.client.submit({ kind: 'image.moderate', params: { images }, priority: 101 });
  expect(refusal).toMatchObject({ __typename: 'ValidationProblem', code: 'VALIDATION' });
  const fields = 'fields' in refusal ? refusal.fields : [];
  expect(Object.fromEntries(fields.map(({ path, message }) => [path.join('.'), message]))).toEqual({
    priority: 'must be at most 100',
    'params.images.1': expect.stringContaining('its first bytes say text/plain'),
    'params.images.2': 'must be the id of a file of yours',
    'params.images.3': 'must be the id of a file of yours',
    'params.images.4': 'must be text',
  });
});

test.each([
  [[], 'must not be empty'],
  [Array.from({ length: 65 }, () => 'x'), 'must have at most 64 entries'],
  ['upl_x', 'must be a list'],
])('a list that is none, empty or too long is told once', async (images, message) => {
  await expect(person.client.submit({ kind: 'image.moderate', params: { images } })).resolves.toMatchObject({
    fields: [{ path: ['params', 'images'], message }],
  });
});

test('from a terminal several files of one param go in the order they were named', async () => {
  const paths = ['red', 'green'].map((name) => join(folder, `${name}.png`));
  for (const [index, path] of paths.entries()) await writeFile(path, await picture(index ? 'green' : 'red'));
  const files = paths.flatMap((path) => ['--file', `images=${path}`]);
  const { stdout, stderr } = await person.shell.run([
    ...['submit', 'image.moderate', ...files, '--tier', 'inception-v3', '--device', 'name=no such device'],
  ]);
  expect(stderr).toBe('');
  const job = await person.client.job(stdout.trim());
  expect(job).toMatchObject({ tier: 'inception-v3', requestedTier: 'inception-v3' });
  const ids = job?.params['images'] as string[];
  const names = await Promise.all(ids.map(async (id) => (await person.client.file(id))?.name));
  expect(names).toEqual(['red.png', 'green.png']);
});

test('a rerun keeps the tier that was asked for', async () => {
  const params = { images: [await upload(await picture('teal'))] };
  const { job } = unwrap(
    await person.client.submit({ kind: 'image.moderate', params, tier: 'mobilenet-v2-mid', ...never }),
  );
  const { stdout } = await person.shell.run(['rerun', job.id]);
  const again = await person.client.job(stdout.trim());
  expect(again).toMatchObject({ params, tier: 'mobilenet-v2-mid', requestedTier: 'mobilenet-v2-mid' });
});

if (optionalPackages('models') === null)
  console.warn('The moderation models are not set up (npm run setup:models), so no job of theirs is run.');
else
  test('each picture is judged, and the results name it by place and file', async () => {
    const images = [await upload(await picture('teal')), await upload(await picture('white'))];
    const { job } = unwrap(await person.client.submit({ kind: 'image.moderate', params: { images } }));
    expect(job).toMatchObject({ tier: 'mobilenet-v2' });
    const events = await watchToEnd(person.client, job.id);
    expect(statusesOf(events).at(-1)).toBe('SUCCEEDED');
    const artifacts = (await person.client.job(job.id))?.artifacts ?? [];
    expect(artifacts.map(({ name }) => name).sort()).toEqual(['moderation.csv', 'moderation.json']);
    const path = join(folder, 'moderation.json');
    await person.client.downloadArtifact(
      artifacts.find(({ name }) => name === 'moderation.json')!,
      path,
    );
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      images: images.map((file, index) => ({ image: index + 1, file })),
    });
  });
