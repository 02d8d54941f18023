import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { decodeImage } from './decode.js';
import { inspectImage } from './inspect.js';
import { drawPicture, psnr } from './picture-under-test.js';
import type { Picture } from './picture.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-decode-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function decode(bytes: Buffer): Promise<Picture> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, bytes);
  await inspectImage(path, 2);
  const picture = await decodeImage(path);
  expect(picture.samples.length).toBe(picture.width * picture.height * picture.channels);
  return picture;
}

const pixel = ({ width, channels, samples }: Picture, x: number, y: number) => [
  ...samples.subarray((y * width + x) * channels, (y * width + x + 1) * channels),
];

/** Left half red, right half blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: Math.ceil(width / 2), height, channels: 3, background: '#00f' } },
      left: Math.floor(width / 2),
      top: 0,
    },
  ]);

test('a grey image, of 8 or 16 bits, becomes three equal colours', async () => {
  const grey = sharp(await drawPicture(31, 17)).greyscale();
  for (const bytes of [
    await grey.clone().toColourspace('b-w').png().toBuffer(),
    await grey.clone().toColourspace('grey16').png().toBuffer(),
  ]) {
    const picture = await decode(bytes);
    expect(picture).toMatchObject({ width: 31, height: 17, channels: 3 });
    const [red, green, blue] = pixel(picture, 12, 9);
    expect(green).toBe(red);
    expect(blue).toBe(red);
    const expected = await grey.clone().raw().toBuffer();
    expect(Math.abs((expected[9 * 31 + 12] ?? NaN) - (red ?? NaN))).toBeLessThanOrEqual(1);
  }
});

test('16 bits become 8', async () => {
  const bytes = await sharp(await drawPicture(40, 30))
    .toColourspace('rgb16')
    .png()
    .toBuffer();
  expect((await sharp(bytes).metadata()).depth).toBe('ushort');
  const picture = await decode(bytes);
  const plain = await decode(await drawPicture(40, 30));
  expect(psnr(picture.samples, plain.samples, plain, 0)).toBeGreaterThan(50);
});

test('alpha is kept, also that of a palette and of grey', async () => {
  const half = sharp({
    create: { width: 9, height: 5, channels: 4, background: { r: 9, g: 8, b: 7, alpha: 0.5 } },
  });
  expect(pixel(await decode(await half.clone().png().toBuffer()), 3, 3)).toEqual([9, 8, 7, 128]);
  const clear = sharp({
    create: { width: 9, height: 5, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  expect((await decode(await clear.clone().png({ palette: true }).toBuffer())).channels).toBe(4);
  expect((await decode(await clear.clone().gif().toBuffer())).channels).toBe(4);
  expect((await decode(await half.clone().toColourspace('b-w').png().toBuffer())).channels).toBe(4);
});

test('the turn that EXIF asks for is made, in the size too', async () => {
  const upright = await halves(20, 10).png().toBuffer();
  const turned = await sharp(upright)
    .withMetadata({ orientation: 6 })
    .jpeg({ chromaSubsampling: '4:4:4' })
    .toBuffer();
  const path = join(folder, 'turned');
  await writeFile(path, turned);
  expect(await inspectImage(path, 2)).toMatchObject({ width: 10, height: 20 });
  const picture = await decode(turned);
  expect(picture).toMatchObject({ width: 10, height: 20 });
  // A quarter turn to the right brings the left half to the top.
  expect(pixel(picture, 5, 3)[0]).toBeGreaterThan(200);
  expect(pixel(picture, 5, 16)[2]).toBeGreaterThan(200);
});

test('the first frame of an animation is taken', async () => {
  const frames = ['#f00', '#0f0', '#00f'].map((background) => ({
    create: { width: 12, height: 8, channels: 3 as const, background },
  }));
  const pages = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  for (const format of ['gif', 'webp'] as const) {
    const bytes = await sharp(pages, { join: { animated: true } })
      .toFormat(format, { lossless: true })
      .toBuffer();
    const path = join(folder, `frames.${format}`);
    await writeFile(path, bytes);
    expect(await inspectImage(path, 2)).toMatchObject({ width: 12, height: 8, frames: 3 });
    const picture = await decode(bytes);
    expect(picture).toMatchObject({ width: 12, height: 8 });
    expect(pixel(picture, 6, 4).slice(0, 3)).toEqual([255, 0, 0]);
  }
});

test('CMYK, and colours of an embedded profile, are brought to sRGB', async () => {
  const red = { create: { width: 16, height: 16, channels: 3 as const, background: '#c03020' } };
  const cmyk = await sharp(red).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
  expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
  const wide = await sharp(red).withIccProfile('p3').png().toBuffer();
  for (const bytes of [cmyk, wide]) {
    const picture = await decode(bytes);
    expect(picture.channels).toBe(3);
    const [r = NaN, g = NaN, b = NaN] = pixel(picture, 8, 8);
    expect(Math.hypot(r - 0xc0, g - 0x30, b - 0x20)).toBeLessThan(bytes === wide ? 4 : 40);
  }
});
