import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { putInPlace } from './place.js';
import { SetupProblem } from './problem.js';

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'gjm-place-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (text: string) =>
  putInPlace('tensorflow', async ({ folder }) => writeFileSync(join(folder, 'made'), text), root);
const made = () => readFileSync(join(root, 'tensorflow/made'), 'utf8');

test('a set appears as a whole, a second one takes its place, and nothing else is left', async () => {
  expect(await put('first')).toBe(join(root, 'tensorflow'));
  expect(made()).toBe('first');
  await put('second');
  expect(made()).toBe('second');
  expect(readdirSync(root)).toEqual(['tensorflow']);
});

test('a set that could not be made leaves the one before as it was', async () => {
  await put('first');
  const failing = putInPlace('tensorflow', () => Promise.reject(new SetupProblem('no compiler')), root);
  await expect(failing).rejects.toThrow('no compiler');
  expect(made()).toBe('first');
  expect(readdirSync(root)).toEqual(['tensorflow']);
});

test('what a killed set-up left is cleared, what another one is making is not', async () => {
  const [dead, alive] = [join(root, '.tensorflow-4194305'), join(root, '.tensorflow-1')];
  for (const folder of [dead, alive]) mkdirSync(folder);
  await put('new');
  expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
});

test('a folder that can not be written is told in a sentence', async () => {
  writeFileSync(join(root, 'file'), '');
  const failing = putInPlace('tensorflow', () => Promise.resolve(), join(root, 'file/packages'));
  await expect(failing).rejects.toThrow(SetupProblem);
});
