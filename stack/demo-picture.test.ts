import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { choosePicture, readPngSize } from './demo-picture.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-picture-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('without a name the sample is taken, and it is a small picture', async () => {
  const sample = choosePicture(undefined, folder);
  expect(await readPngSize(sample)).toEqual({ width: 256, height: 192 });
});

test('a name is seen from where the person stood', async () => {
  await writeFile(join(folder, 'mine.png'), 'x');
  expect(choosePicture('mine.png', folder)).toBe(join(folder, 'mine.png'));
});

test('what can be told from outside is refused in one sentence', async () => {
  await writeFile(join(folder, 'empty.png'), '');
  await writeFile(join(folder, 'huge.png'), '');
  await truncate(join(folder, 'huge.png'), 3 * 1024 ** 3); // sparse: takes no room
  expect(() => choosePicture('absent.png', folder)).toThrow(/^There is no file .*absent\.png\.$/);
  expect(() => choosePicture('.', folder)).toThrow(/is not a file\.$/);
  expect(() => choosePicture('empty.png', folder)).toThrow(/is empty\.$/);
  expect(() => choosePicture('huge.png', folder)).toThrow(/larger than the 2 GiB/);
  expect(() => choosePicture('/dev/zero', folder)).toThrow(/is not a file\.$/);
});
