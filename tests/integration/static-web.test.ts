import { get } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';

const code = `export const text = '${'again and '.repeat(400)}';\n`;
let bench: ServerBench;
let folder: string;
let url: string;
let bare: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>');
  const script = join(folder, 'assets', 'index-abc.js');
  await writeFile(script, code);
  await writeFile(`${script}.br`, brotliCompressSync(code));
  await writeFile(`${script}.gz`, gzipSync(code));
  await writeFile(join(folder, 'assets', 'picture-abc.png'), 'no text');
  bench = new ServerBench(sharedStack());
  [[url], [bare]] = (await Promise.all([
    bench.startMany(1, { ...(await bench.install()), GJM_WEB_DIR: folder }),
    bench.startMany(1, { ...(await bench.install()), GJM_WEB_DIR: join(folder, 'nowhere') }),
  ])) as [[string], [string]];
});
afterAll(async () => {
  await bench.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** An answer as it is on the wire: nothing is unpacked. */
const fetchRaw = (
  address: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get(address, { headers, method, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).once('error', reject);
  });
const script = (headers: Record<string, string> = {}, method?: 'HEAD') =>
  fetchRaw(`${url}/assets/index-abc.js`, headers, method);

describe('a file of the dashboard', () => {
  test('comes compressed as the client takes it, for ever, and is told apart by a cache', async () => {
    const forms: [accept: string, encoding: string | undefined, unpack: (bytes: Buffer) => Buffer][] = [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
      ['deflate', undefined, (bytes) => bytes],
      ['', undefined, (bytes) => bytes],
    ];
    const tags = new Map<string | undefined, unknown>();
    for (const [accept, encoding, unpack] of forms) {
      const { status, headers, body } = await script({ 'accept-encoding': accept });
      expect([accept, status, headers['content-encoding']]).toEqual([accept, 200, encoding]);
      expect(unpack(body).toString()).toBe(code);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      tags.set(encoding, headers['etag']);
    }
    expect(new Set(tags.values()).size).toBe(3);
  });

  test('is not sent again to who has it, in the same form', async () => {
    const accept = { 'accept-encoding': 'br' };
    const etag = String((await script(accept)).headers['etag']);
    const again = await script({ ...accept, 'if-none-match': etag });
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag]);
    expect(again.headers['vary']).toBe('accept-encoding');
    expect((await script({ 'if-none-match': etag })).status).toBe(200);
  });

  test('has the same headers for HEAD, and ranges of what it is', async () => {
    const accept = { 'accept-encoding': 'br' };
    const [head, whole] = [await script(accept, 'HEAD'), await script(accept)];
    expect(head.body).toHaveLength(0);
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    const part = await script({ ...accept, range: 'bytes=7-11' });
    expect([part.status, part.body.toString()]).toEqual([206, code.slice(7, 12)]);
    expect(part.headers['content-range']).toBe(`bytes 7-11/${code.length}`);
  });

  test('is refused beyond its end, with its size', async () => {
    for (const accept of ['br', 'identity']) {
      const beyond = await script({ 'accept-encoding': accept, range: 'bytes=99999-' });
      expect([beyond.status, beyond.body.length]).toEqual([416, 0]);
      expect(beyond.headers).toMatchObject({
        'content-range': `bytes */${code.length}`,
        'cache-control': 'no-store',
      });
      expect(beyond.headers['content-encoding']).toBeUndefined();
      expect(beyond.headers['etag']).toBeUndefined();
    }
    const page = await fetchRaw(`${url}/index.html`, { range: 'bytes=99999-' });
    expect([page.status, page.headers['content-range']]).toEqual([416, 'bytes */34']);
  });

  test('that is a picture is sent as it is, and one that is not there is no page', async () => {
    const accept = { 'accept-encoding': 'br, gzip' };
    const picture = await fetchRaw(`${url}/assets/picture-abc.png`, accept);
    expect([picture.headers['content-type'], picture.headers['vary']]).toEqual(['image/png', undefined]);
    const lost = await fetchRaw(`${url}/assets/lost.js`, accept);
    expect([lost.status, JSON.parse(lost.body.toString())]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  test('that is the page is asked for each time and has a tag', async () => {
    const page = await fetchRaw(`${url}/jobs/job_x`, { 'accept-encoding': 'br' });
    expect(page.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    const again = await fetchRaw(`${url}/`, { 'if-none-match': String(page.headers['etag']) });
    expect(again.status).toBe(304);
  });
});

test('where the dashboard is not built, the page says so in a sentence', async () => {
  const page = await fetchRaw(`${bare}/`, { accept: 'text/html,*/*;q=0.8' });
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.body.toString()).toContain('npm run build');
  expect((await fetchRaw(`${bare}/lost.js`)).headers['content-type']).toMatch(/json/);
});

test('the build compresses every script and style of the dashboard that is worth it', async () => {
  const { url: stack } = sharedStack();
  const page = (await fetchRaw(`${stack}/`)).body.toString();
  const paths = [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '');
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const [packed, plain] = [
      await fetchRaw(stack + path, { 'accept-encoding': 'gzip, br' }),
      await fetchRaw(stack + path),
    ];
    if (plain.body.length < 1_024) continue;
    expect([path, packed.headers['content-encoding']]).toEqual([path, 'br']);
    expect(brotliDecompressSync(packed.body).equals(plain.body)).toBe(true);
  }
});
