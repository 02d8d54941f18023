import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { createOrphanSweeper } from '@gjm/server/application/orphan-sweeper.js';
import type { ArtifactStore } from '@gjm/server/application/ports.js';
import { createFolderStore } from '@gjm/server/artifacts/folder.js';
import { connectS3 } from '@gjm/server/artifacts/s3-client.js';
import { createS3Store } from '@gjm/server/artifacts/s3.js';
import type { S3Settings } from '@gjm/server/artifacts/settings.js';
import { createDataSource } from '@gjm/server/persistence/data-source.js';
import { createDatabase, type TransactionalDatabase } from '@gjm/server/persistence/database.js';
import { createLogger } from '@gjm/server/logger.js';
import { ask, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { hasS3, openS3, type S3Server } from '../support/s3-server.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

/** The settings with which a server keeps its files in a bucket. */
const variablesOf = ({ endpoint, bucket, prefix, credentials }: S3Settings): Record<string, string> => ({
  GJM_ARTIFACT_STORE: 's3',
  GJM_S3_ENDPOINT: endpoint ?? '',
  GJM_S3_BUCKET: bucket,
  GJM_S3_PREFIX: prefix,
  GJM_S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
  GJM_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
});

const logger = createLogger('silent', { version: 'test' });
const twoDaysMs = 2 * 86_400_000;

/** A server on one kind of store, and that store by another door. */
interface Fixture {
  env: Record<string, string>;
  store: ArtifactStore;
  s3: S3Server | null;
  close(): Promise<void>;
}

async function openFolder(env: Record<string, string>): Promise<Fixture> {
  const store = createFolderStore(join(env['GJM_DATA_DIR'] as string, 'artifacts'));
  return { env, store, s3: null, close: () => Promise.resolve() };
}

async function openBucket(env: Record<string, string>): Promise<Fixture> {
  const s3 = await openS3();
  const place = s3.place();
  const client = connectS3(place);
  return {
    env: { ...env, ...variablesOf(place) },
    store: createS3Store(client, place),
    s3,
    close: async () => {
      client.destroy();
      await s3.close();
    },
  };
}

const kinds = [
  { kind: 'a folder', open: openFolder, run: describe },
  { kind: 'a bucket', open: openBucket, run: hasS3() ? describe : describe.skip },
];

for (const { kind, open, run } of kinds)
  run(`a server with its files in ${kind}`, () => {
    let bench: ServerBench;
    let fixture: Fixture;
    let server: ServerProcess & { address: string };
    let person: SignedIn;
    let dataSource: DataSource;
    let database: TransactionalDatabase;

    beforeAll(async () => {
      bench = new ServerBench(sharedStack());
      fixture = await open(await bench.install());
      server = await bench.start(fixture.env);
      person = await signUp(server.address);
      dataSource = await createDataSource(fixture.env['DATABASE_URL'] as string, 2).initialize();
      database = createDatabase(dataSource);
    });

    afterAll(async () => {
      await dataSource.destroy();
      await bench.close();
      await fixture.close();
    });

    async function announce(): Promise<string> {
      const { upload, message } = await ask<{ upload: { url: string } }>(
        server.address,
        `mutation { createUpload(input: { name: "a.bin" }) { ${problemFields} ... on CreateUploadSuccess { upload { url } } } }`,
        { token: person.token },
      );
      if (!upload) throw new Error(`No upload was made: ${message}`);
      return server.address + upload.url;
    }

    const put = (url: string, body: Buffer) => fetch(url, { method: 'PUT', body });

    const keysOf = async (): Promise<string[]> => {
      const keys: string[] = [];
      for await (const { key } of fixture.store.list()) keys.push(key);
      return keys.sort();
    };

    test('takes a file of several pieces and serves it whole, in part, and to HEAD', async () => {
      const url = await announce();
      const bytes = randomBytes(10 * 1024 ** 2);
      expect((await put(url, bytes)).status).toBe(201);
      expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
      const part = await fetch(url, { headers: { range: 'bytes=8388600-8388700' } });
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        'bytes 8388600-8388700/10485760',
      ]);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(8388600, 8388701))).toBe(true);
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10485760']);
    });

    test('is the place of one database only, and a restart finds it again', async () => {
      const again = await bench.start(fixture.env);
      expect((await (await fetch(`${again.address}/readyz`)).json()) as object).toMatchObject({ ok: true });
      const { DATABASE_URL } = await bench.install();
      const stranger = bench.spawn({ ...fixture.env, DATABASE_URL });
      expect(await stranger.url).toBeNull();
      expect((await stranger.exit).code).toBe(1);
      expect(stranger.output()).toMatch(
        /GJM_\w+ \(.*\) holds the files of another database: choose another.*\.\n$/,
      );
    });

    test('loses bytes of a day ago that no row names, and nothing else', async () => {
      const url = await announce();
      expect((await put(url, Buffer.from('kept'))).status).toBe(201);
      const kept = await keysOf();
      const store = (key: string) =>
        fixture.store.put(key, Readable.from([Buffer.from('x')]), { maxBytes: 9 });
      const orphans = ['uploads/upl_x/0123', 'jobs/job_x/att_x/art_x'];
      const known = kept.find((key) => key.startsWith('uploads/')) as string;
      // The loser of a race beside the winner, under the same upload.
      orphans.push(`${known.slice(0, known.lastIndexOf('/'))}/aaaaaaaaaaaa`);
      for (const key of orphans) await store(key);
      await store('somebody/elses');
      const stream = new Readable({ read() {} });
      const writing = fixture.store.put('uploads/upl_y/0', stream, { maxBytes: 1024 ** 3 });
      writing.catch(() => undefined);
      for (let i = 0; i < 20; i++) stream.push(Buffer.alloc(1024 ** 2));
      const part = await until('a part is listed', async () =>
        (await keysOf()).find((key) => key.endsWith('.part')),
      );

      const everything = await keysOf();
      expect(await createOrphanSweeper({ database, store: fixture.store, logger })()).toBe(0);
      expect(await keysOf()).toEqual(everything);
      const inTwoDays = () => Date.now() + twoDaysMs;
      const sweep = createOrphanSweeper({ database, store: fixture.store, logger }, inTwoDays);
      expect(await sweep()).toBe(orphans.length + 1);
      // A piece that was on its way may come after its upload was ended: the next round has it.
      const wanted = [...kept, 'somebody/elses'].sort().join();
      await until(
        'all else is gone',
        async () => (await sweep()) === 0 && (await keysOf()).join() === wanted,
      );
      expect(await (await fetch(url)).text()).toBe('kept');
      expect(part).toMatch(/^uploads\/upl_y\/0\./);
      stream.destroy(new Error('the sender left'));
      await writing.catch(() => undefined);
    });

    test('the server sweeps by itself', async () => {
      if (fixture.s3) return; // the age of an object is its server's to say
      const folder = join(fixture.env['GJM_DATA_DIR'] as string, 'artifacts', 'jobs', 'job_x', 'att_x');
      await mkdir(folder, { recursive: true });
      const old = new Date(Date.now() - twoDaysMs);
      await writeFile(join(folder, 'art_old'), 'x');
      await utimes(join(folder, 'art_old'), old, old);
      await writeFile(join(folder, 'art_new'), 'x');
      await bench.start(fixture.env);
      await until('the old one is gone', async () => !(await keysOf()).includes('jobs/job_x/att_x/art_old'));
      expect(await keysOf()).toContain('jobs/job_x/att_x/art_new');
    });

    test('while the store is away the server goes on, says so, and asks to try again', async () => {
      if (!fixture.s3) return; // a folder that is away: preflight.test.ts
      const url = await announce();
      await fixture.s3.kill();
      const check = await until('health tells', async () => {
        const health = (await (await fetch(`${server.address}/readyz`)).json()) as {
          ok: boolean;
          checks: { name: string; ok: boolean; message: string }[];
        };
        const found = health.checks.find(({ name }) => name === 'artifact-bucket');
        return found?.ok === false ? { ...found, isReady: health.ok } : null;
      });
      expect(check.isReady).toBe(true);
      expect(check.message).toMatch(
        /^(The bucket of files \(GJM_S3_BUCKET\) can not be read: the store does not answer\.|No answer in time\.)$/,
      );
      const answer = await put(url, Buffer.from('x'));
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain('Try again');
    });
  });
