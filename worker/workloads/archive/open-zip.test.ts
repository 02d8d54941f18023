import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { trainLimits } from '@gjm/core/workload/model-train.js';
import { openZip } from './open-zip.js';
import { rawZip, type RawEntry } from './raw-zip-under-test.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-zip-'));
});
afterAll(() => rm(folder, { recursive: true }));

let made = 0;
async function opened(entries: readonly RawEntry[], ...limits: [fileBytes?: number, files?: number]) {
  const path = join(folder, `${(made += 1)}.zip`);
  await writeFile(path, rawZip(entries));
  return openZip(path, ...limits);
}

test('an honest archive gives its files, whole, and not its folders', async () => {
  const archive = await opened([{ name: 'cats/' }, { name: 'cats/1.png', bytes: 'meow' }, { name: 'ä' }]);
  expect(archive.files.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['cats/1.png', 4],
    ['ä', 0],
  ]);
  expect(Buffer.from(await archive.files[0]!.read()).toString()).toBe('meow');
  await archive.close();
});

const many = (count: number, claims: number): RawEntry[] =>
  Array.from({ length: count }, (_, n) => ({ name: String(n), bytes: 'x'.repeat(20_000), claims }));

test.each<[what: string, entries: RawEntry[], sentence: RegExp]>([
  ['a file twice', [{ name: 'a' }, { name: 'a' }], /has "a" twice/],
  [
    'a file that is too large',
    [{ name: 'big', bytes: 'x'.repeat(600), claims: 1_001 }],
    /"big" has 1001 bytes, at most 1000/,
  ],
  ['a link', [{ name: 'link', bytes: '/etc/passwd', mode: 0o120777 }], /"link" is a link/],
  ['a file that is encrypted', [{ name: 'shy', isEncrypted: true }], /"shy" is encrypted/],
  ...['../out', '/etc/passwd', 'a//b', 'a/../b', './a', 'a\\b', 'C:\\x', 'nul\0'].map(
    (name): [string, RawEntry[], RegExp] => [
      `the path ${JSON.stringify(name)}`,
      [{ name }],
      /path that is not allowed/,
    ],
  ),
])('an archive with %s is refused by name before a byte is unpacked', async (_what, entries, sentence) => {
  await expect(opened(entries, 1_000)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(sentence),
  });
});

test('a bomb is refused by the share that is packed', async () => {
  const bomb = { name: 'bomb', bytes: 'x'.repeat(1_000), claims: 2 ** 20 + 200 * 1_000 + 1 };
  await expect(opened([bomb])).rejects.toThrow(/"bomb" unpacks to more than 200 times/);
  await (await opened([{ ...bomb, claims: bomb.claims - 1 }])).close();
});

test('files that are each allowed, and together too large, are refused', async () => {
  const each = 4 * 1024 * 1024;
  const count = Math.floor(trainLimits.archiveBytes / each);
  await expect(opened(many(count + 1, each), each)).rejects.toThrow(/more than \d+ bytes together/);
});

test('more files than are allowed are refused', async () => {
  const entries = Array.from({ length: 101 }, (_, n) => ({ name: String(n) }));
  await expect(opened(entries, 1_000, 100)).rejects.toThrow('The archive has more than 100 files.');
  await (await opened(entries, 1_000, 101)).close();
});

test('a file that has other bytes than it says is told when it is read', async () => {
  const archive = await opened([{ name: 'liar', bytes: 'four', claims: 9 }]);
  await expect(archive.files[0]!.read()).rejects.toThrow(/"liar" can not be unpacked/);
  await archive.close();
});
