import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { connectS3 } from '@gjm/server/artifacts/s3-client.js';
import { claimBucket } from '@gjm/server/artifacts/s3-marker.js';
import { createS3Store } from '@gjm/server/artifacts/s3.js';
import { requireBucket } from '@gjm/server/preflight/check-bucket.js';
import { hasS3, openS3, type S3Server } from '../support/s3-server.js';
import { describeStore } from './artifact-store.js';

/** Where no S3 server can be had these are reported as skipped: docs/operations.md says how to get one. */
const describeS3 = hasS3() ? describe : describe.skip;

describeS3('with a real S3 server', () => {
  let server: S3Server;
  let client: ReturnType<typeof connectS3>;

  beforeAll(async () => {
    server = await openS3();
    client = connectS3(server.place());
  });

  afterAll(async () => {
    client.destroy();
    await server.close();
  });

  describeStore('a bucket', async () => createS3Store(client, server.place()));

  describe('the S3 store', () => {
    test('has no key before the last call of a write', async () => {
      const place = server.place();
      const seen: unknown[] = [];
      const store = createS3Store(client, place, {
        beforeCommit: async () => void seen.push(await store.stat('a/b')),
      });
      for (const bytes of [1, 9 * 1024 ** 2]) {
        await store.put('a/b', Readable.from([Buffer.alloc(bytes)]), { maxBytes: bytes });
        expect(await store.stat('a/b')).toEqual({ bytes });
        await store.remove('a/b');
      }
      expect(seen).toEqual([null, null]);
    });

    test('lists more than one page of its own and nothing of its neighbours', async () => {
      const place = server.place();
      const store = createS3Store(client, place);
      const neighbour = createS3Store(client, { ...place, prefix: place.prefix.replace('/', '-x/') });
      const put = (at: typeof store, key: string) =>
        at.put(key, Readable.from([Buffer.from('x')]), { maxBytes: 10 });
      await put(neighbour, 'a/b');
      for (let i = 0; i < 1_050; i += 50)
        await Promise.all(Array.from({ length: 50 }, (_, j) => put(store, `many/${i + j}`)));
      const keys = new Set<string>();
      for await (const { key } of store.list()) keys.add(key);
      expect(keys.size).toBe(1_050);
    });
  });

  describe('claimBucket', () => {
    const fresh = { id: 'one', hasArtifacts: false };

    test('marks a new place, also when many do at once, knows it again, and does not list the mark', async () => {
      const place = server.place();
      await Promise.all(Array.from({ length: 5 }, () => claimBucket(client, place, fresh)));
      await claimBucket(client, place, { id: 'one', hasArtifacts: true });
      await requireBucket(client, place, 'one');
      for await (const { key } of createS3Store(client, place).list()) throw new Error(`${key} is listed`);
    });

    test('refuses another’s place, and an unmarked one where files should be', async () => {
      const place = server.place();
      await expect(claimBucket(client, place, { id: 'one', hasArtifacts: true })).rejects.toThrow(
        /GJM_S3_BUCKET .* is not where this database's files are\./,
      );
      await claimBucket(client, place, { id: 'two', hasArtifacts: false });
      await expect(claimBucket(client, place, fresh)).rejects.toThrow('holds the files of another database');
      await expect(requireBucket(client, place, 'one')).rejects.toThrow('does not carry the mark');
    });

    test('says in a sentence what is wrong with bucket, keys or address', async () => {
      const place = server.place();
      const claimWith = async (change: object) => {
        const other = connectS3({ ...place, ...change });
        try {
          return await claimBucket(other, { ...place, ...change }, fresh).catch(
            (error: Error) => error.message,
          );
        } finally {
          other.destroy();
        }
      };
      expect(await claimWith({ bucket: 'no-such-bucket' })).toContain('there is no such bucket');
      const stranger = { accessKeyId: 'nobody', secretAccessKey: 'x'.repeat(20) };
      expect(await claimWith({ credentials: stranger })).toMatch(/not known there|may not use it|answers 40/);
      const wrong = { accessKeyId: place.credentials?.accessKeyId, secretAccessKey: 'x'.repeat(20) };
      expect(await claimWith({ credentials: wrong })).toMatch(/not the one of the access key|may not use it/);
      expect(await claimWith({ endpoint: 'http://127.0.0.1:9' })).toContain('the store does not answer');
    });
  });
});
