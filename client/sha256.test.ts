import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PlainSha256 } from './sha256.js';

test.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 1_000, 70_001])(
  'agrees with Node over %i bytes',
  (length) => {
    const bytes = randomBytes(length);
    const digest = new PlainSha256();
    digest.update(bytes);
    expect(digest.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
  },
);

test('does not depend on how the bytes are cut', () => {
  const bytes = randomBytes(1_000);
  const digest = new PlainSha256();
  for (let at = 0, size = 0; at < bytes.length; at += size, size = (size + 7) % 90)
    digest.update(bytes.subarray(at, at + size));
  expect(digest.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
});
