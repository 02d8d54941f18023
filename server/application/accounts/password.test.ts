import { describe, expect, test } from '@jest/globals';
import { createPasswords, HashingBusy } from './password.js';

describe('passwords', () => {
  test('a hash verifies its own password alone, and no hash verifies none', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'correct horsf')).toBe(false);
    expect(await passwords.verify(null, 'no account has this password')).toBe(false);
  });

  test('a flood beyond the line is turned away at once, and the rest is done', async () => {
    const passwords = createPasswords({ running: 1, waiting: 3 });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => passwords.hash('x')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(HashingBusy);
    await expect(passwords.hash('x')).resolves.toMatch(/^\$argon2id/);
  });
});
