import { describe, expect, test } from '@jest/globals';
import { cachedRead } from './cached-read.js';

describe('a cached read', () => {
  test('is shared while it is fresh, and done again after', async () => {
    let reads = 0;
    const read = cachedRead(async () => ++reads, { reuseMs: 30, limitMs: 1_000 });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    expect(await read()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await read()).toBe(2);
  });

  test('that fails is null, once for all who ask meanwhile', async () => {
    let reads = 0;
    const read = cachedRead(async () => {
      reads++;
      throw new Error('away');
    });
    expect(await Promise.all([read(), read()])).toEqual([null, null]);
    expect(reads).toBe(1);
  });

  test('that hangs is null after its time, and is not begun again until it ends', async () => {
    let reads = 0;
    let end = () => {};
    const read = cachedRead(
      () => {
        reads++;
        return new Promise<number>((resolve) => (end = () => resolve(reads)));
      },
      { reuseMs: 1, limitMs: 10 },
    );
    expect(await read()).toBeNull();
    expect(await read()).toBeNull();
    expect(reads).toBe(1);
    end();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = read();
    end();
    expect(await second).toBe(2);
  });
});
