import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { statusesOf, newUser, watchToEnd } from '../support/user.js';

let client: NodeClient;
let folder: string;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
  folder = await mkdtemp(join(tmpdir(), 'gjm-upscale-'));
});
afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

const upload = async (name: string, bytes: Buffer): Promise<string> =>
  (await client.upload({ name, source: bytes, bytes: bytes.length })).id;

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  });

test.each([
  ['a.png', (image: Sharp) => image.png(), 2],
  ['b.jpg', (image: Sharp) => image.jpeg(), 3],
  ['c.webp', (image: Sharp) => image.webp(), 2],
] as const)(
  '%s of an odd size is enlarged exactly, verified on the way to the disk',
  async (name, encode, scale) => {
    const image = await upload(name, await encode(noise(37, 21)).toBuffer());
    const { job } = unwrap(await client.submit({ kind: 'image.upscale', params: { image, scale } }));
    const events = await watchToEnd(client, job.id);
    expect(statusesOf(events).at(-1)).toBe('SUCCEEDED');
    const artifact = (await client.job(job.id))?.artifacts[0];
    const path = join(folder, `${name}.png`);
    await client.downloadArtifact(artifact!, path);
    expect(await sharp(path).metadata()).toMatchObject({
      format: 'png',
      width: 37 * scale,
      height: 21 * scale,
      depth: 'uchar',
    });
  },
);

test('what is no image by its first bytes is refused at submit, with the path of the field', async () => {
  const image = await upload('trust-me.png', Buffer.from('not an image at all'));
  await expect(client.submit({ kind: 'image.upscale', params: { image } })).resolves.toMatchObject({
    __typename: 'ValidationProblem',
    fields: [{ path: ['params', 'image'] }],
  });
});

test('a truncated image fails as INVALID_INPUT after one attempt', async () => {
  const whole = await noise(200, 200).png().toBuffer();
  const image = await upload('half.png', whole.subarray(0, whole.length / 2));
  const { job } = unwrap(await client.submit({ kind: 'image.upscale', params: { image } }));
  await watchToEnd(client, job.id);
  const ended = await client.job(job.id);
  expect(ended).toMatchObject({ status: 'FAILED', failure: { code: 'INVALID_INPUT', origin: 'USER' } });
  expect(ended?.attempts).toHaveLength(1);
});

test('unknown, foreign and unfinished files are refused', async () => {
  const other = await newUser(sharedStack().url);
  const foreign = (await other.upload({ name: 'x.png', source: await noise(8, 8).png().toBuffer() })).id;
  other.close();
  for (const image of [foreign, 'upl_00000000000000000000000000', 'nonsense', ''])
    await expect(client.submit({ kind: 'image.upscale', params: { image } })).resolves.toMatchObject({
      __typename: 'ValidationProblem',
      fields: [{ path: ['params', 'image'] }],
    });
});
