import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { StorageError, type ArtifactStore } from '@gjm/server/application/ports.js';
import { until } from '../support/until.js';

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function keysOf(store: ArtifactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}

const text = async (stream: Readable | null): Promise<string | null> =>
  stream && (await buffer(stream)).toString();

/** What every artifact store keeps. `makeStore` gives an empty one. */
export function describeStore(name: string, makeStore: () => Promise<ArtifactStore>): void {
  const limits = { maxBytes: 1_000 };

  describe(`the artifact store: ${name}`, () => {
    test('gives back what was put, whole and in parts', async () => {
      const store = await makeStore();
      expect(
        await store.put('a/b/c', Readable.from([Buffer.from('hello '), Buffer.from('world')]), limits),
      ).toEqual({
        bytes: 11,
        sha256: sha256('hello world'),
      });
      expect(await text(await store.open('a/b/c'))).toBe('hello world');
      expect(await text(await store.open('a/b/c', { start: 4, end: 6 }))).toBe('o w');
      expect(await store.stat('a/b/c')).toEqual({ bytes: 11 });
      expect(await keysOf(store)).toEqual(['a/b/c']);
    });

    test('keeps what is larger than one piece of a transfer, to the byte, and gives any part of it', async () => {
      const store = await makeStore();
      const bytes = randomBytes(20 * 1024 ** 2 + 7);
      const pieces = Array.from({ length: 21 }, (_, i) => bytes.subarray(i * 1024 ** 2, (i + 1) * 1024 ** 2));
      const stored = await store.put('a/large', Readable.from(pieces), { maxBytes: bytes.length });
      expect(stored).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
      const read = await store.open('a/large');
      expect(sha256(await buffer(read as Readable))).toBe(stored.sha256);
      const [start, end] = [8 * 1024 ** 2 - 5, 16 * 1024 ** 2 + 5];
      const part = await store.open('a/large', { start, end });
      expect(sha256(await buffer(part as Readable))).toBe(sha256(bytes.subarray(start, end + 1)));
      expect(await keysOf(store)).toEqual(['a/large']);
    });

    test('lists what a write has begun, and can be told to remove it', async () => {
      const store = await makeStore();
      const stream = new Readable({ read() {} });
      const putting = store
        .put('a/begun', stream, { maxBytes: 100 * 1024 ** 2 })
        .catch((error: unknown) => error);
      for (let i = 0; i < 20; i++) stream.push(Buffer.alloc(1024 ** 2));
      const [part] = await until('a part is listed', async () => {
        const keys = await keysOf(store);
        return keys.length > 0 ? keys : null;
      });
      expect(part).toMatch(/^a\/begun\.[0-9a-f]{8}\.part$/);
      for await (const { key, writtenAt } of store.list()) {
        expect(key).toBe(part);
        expect(Math.abs(Date.now() - writtenAt.getTime())).toBeLessThan(60_000);
      }
      await until('it is gone', async () => {
        await store.remove(part as string); // again where a piece was on its way
        return (await keysOf(store)).length === 0;
      });
      stream.push(null);
      // Whoever went on writing hears of it, or was faster: either way the key is whole or absent.
      const ended = await putting;
      expect(await store.stat('a/begun')).toEqual(
        ended instanceof Object && 'bytes' in ended ? { bytes: 20 * 1024 ** 2 } : null,
      );
    });

    test('frees what a reader holds who goes away', async () => {
      const store = await makeStore();
      await store.put('a/b', Readable.from([Buffer.alloc(900)]), limits);
      for (let i = 0; i < 100; i++) (await store.open('a/b'))?.destroy();
      expect((await buffer((await store.open('a/b')) as Readable)).length).toBe(900);
    });

    test('keeps an empty file', async () => {
      const store = await makeStore();
      expect(await store.put('empty', Readable.from([]), limits)).toEqual({ bytes: 0, sha256: sha256('') });
      expect(await store.stat('empty')).toEqual({ bytes: 0 });
    });

    test('has nothing under a key that was never put, and removing it is a success', async () => {
      const store = await makeStore();
      expect(await store.open('x/y')).toBeNull();
      expect(await store.stat('x/y')).toBeNull();
      await store.remove('x/y');
    });

    test('removes, also twice', async () => {
      const store = await makeStore();
      await store.put('a/b', Readable.from([Buffer.from('1')]), limits);
      await store.remove('a/b');
      await store.remove('a/b');
      expect(await keysOf(store)).toEqual([]);
    });

    test('leaves nothing of what is too large, and reads it to its end', async () => {
      const store = await makeStore();
      const stream = Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(100)));
      const failure: unknown = await store.put('a/big', stream, limits).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StorageError);
      expect((failure as StorageError).reason).toBe('too-large');
      expect(await keysOf(store)).toEqual([]);
    });

    test('leaves nothing of what breaks off', async () => {
      const store = await makeStore();
      const stream = new Readable({ read() {} });
      const putting = store.put('a/broken', stream, limits).catch((error: unknown) => error);
      stream.push(Buffer.from('half'));
      stream.destroy(new Error('the sender left'));
      expect(((await putting) as StorageError).reason).toBe('broken-off');
      expect(await keysOf(store)).toEqual([]);
    });

    test('leaves nothing of what is too large or breaks off after several pieces', async () => {
      const store = await makeStore();
      const piece = Buffer.alloc(1024 ** 2);
      const large = Readable.from(Array.from({ length: 25 }, () => piece));
      await expect(store.put('a/large', large, { maxBytes: 24 * 1024 ** 2 })).rejects.toThrow('too-large');
      const broken = Readable.from(
        (function* () {
          for (let i = 0; i < 20; i++) yield piece;
          throw new Error('the sender left');
        })(),
      );
      await expect(store.put('a/large', broken, { maxBytes: 24 * 1024 ** 2 })).rejects.toThrow('broken-off');
      expect(await keysOf(store)).toEqual([]);
    });

    test('puts many at once into one place', async () => {
      const store = await makeStore();
      const names = Array.from({ length: 20 }, (_, i) => `same/folder/${i}`);
      await Promise.all(names.map((key) => store.put(key, Readable.from([Buffer.from(key)]), limits)));
      await Promise.all(names.slice(0, 10).map((key) => store.remove(key)));
      expect(await keysOf(store)).toEqual(names.slice(10).sort());
    });

    test.each(['../x', 'a/../b', '/etc/passwd', 'a//b', '', 'a/', 'a.b', 'a\u0000b', '%2e%2e', 'a\\b'])(
      'refuses the key %j',
      async (key) => {
        const store = await makeStore();
        await expect(store.put(key, Readable.from([Buffer.from('x')]), limits)).rejects.toThrow(
          'no storage key',
        );
        await expect(store.open(key)).rejects.toThrow('no storage key');
        await expect(store.remove(key)).rejects.toThrow('no storage key');
      },
    );
  });
}
