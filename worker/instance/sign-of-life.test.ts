import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../testing/until.js';
import { showsSign, SignOfLife } from './sign-of-life.js';

let folder: string;
let sign: SignOfLife;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gjm-sign-'));
  sign = new SignOfLife(folder);
});
afterEach(() => {
  sign.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a worker is alive for as long as its loop turns, whether a server answers or not', async () => {
  sign.start(20, 1_000);
  await until(() => showsSign(folder, 'alive'), 'the sign');
  const endsAt = () => statSync(join(folder, 'sign-alive')).mtimeMs;
  const first = endsAt();
  await until(() => endsAt() > first + 200, 'it is renewed');
  expect(showsSign(folder, 'answered')).toBe(false);
  const end = performance.now() + 1_100;
  while (performance.now() < end); // the loop stands still
  expect(showsSign(folder, 'alive')).toBe(false);
});

test('an answer counts for ten beats, and not for the next life', async () => {
  sign.start();
  sign.answered(100);
  await until(() => showsSign(folder, 'answered'), 'the sign');
  await until(() => !showsSign(folder, 'answered'), 'its end');
  sign.answered(60_000);
  await until(() => showsSign(folder, 'answered'), 'the sign once more');
  const next = new SignOfLife(folder);
  next.start();
  expect(showsSign(folder, 'answered')).toBe(false);
  next.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder where there was no worker shows nothing', () => {
  expect(showsSign(folder, 'alive')).toBe(false);
});
