import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { StorageError, type ArtifactStore } from '@gjm/server/application/ports.js';

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
