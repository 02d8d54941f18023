import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import pg from 'pg';
import { ask, post, problemFields, type Member } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let env: Record<string, string>;
let server: ServerProcess;
let url: string;
let database: pg.Client;
let admin: SignedIn;
let owner: SignedIn;
let other: SignedIn;

const maxBytes = 300 * 1024 * 1024;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  env = { ...(await bench.install()), GJM_UPLOAD_BYTES: String(maxBytes) };
  const started = await bench.start(env);
  [server, url] = [started, started.address];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  admin = await signUp(url);
  owner = await signUp(url);
  other = await signUp(url);
});

afterAll(async () => {
  await database.end();
  await bench.close();
});

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Upload {
  id: string;
  url: string;
}

/** Announces a file. */
const announce = (input: object, person = owner): Promise<Member<{ upload: Upload }>> =>
  ask(
    url,
    `mutation ($input: CreateUploadInput!) { createUpload(input: $input) { ${problemFields} ... on CreateUploadSuccess { upload { id url } } } }`,
    { variables: { input: { name: 'a.bin', ...input } }, token: person.token },
  );

async function create(input: object = {}, person = owner): Promise<Upload> {
  const { upload, message } = await announce(input, person);
  if (!upload) throw new Error(`No upload was made: ${message}`);
  return upload;
}

/** Status and JSON of an answer. */
const told = async (answer: Response) =>
  [answer.status, (await answer.json()) as Record<string, unknown>] as const;

const put = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'PUT', body: body, headers });

/** Everything in the artifact folder but the marker. */
async function storedFiles(): Promise<string[]> {
  const folder = join(env['GJM_DATA_DIR'] as string, 'artifacts');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Open files of the server below its data folder. */
async function openHandles(): Promise<number> {
  const names = await readdir(`/proc/${server.pid}/fd`);
  const targets = await Promise.all(
    names.map((name) => readlink(`/proc/${server.pid}/fd/${name}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(env['GJM_DATA_DIR'] as string)).length;
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

describe('an upload', () => {
  test('is created, sent, and read back by its address alone', async () => {
    const upload = await create({ bytes: 5, sha256: sha256('hello') });
    const answer = await put(upload.url, 'hello');
    expect(await told(answer)).toEqual([201, { id: upload.id, bytes: 5, sha256: sha256('hello') }]);
    const read = await fetch(url + upload.url);
    expect([read.status, await read.text()]).toEqual([200, 'hello']);
    const node = `query ($id: ID!) { node(id: $id) { ... on Upload { complete bytes sha256 } } }`;
    const { data } = await post(url, node, { variables: { id: upload.id }, token: owner.token });
    expect(data?.['node']).toEqual({ complete: true, bytes: 5, sha256: sha256('hello') });
  });

  test('takes its bytes once', async () => {
    const upload = await create();
    expect((await put(upload.url, 'one')).status).toBe(201);
    expect((await put(upload.url, 'two')).status).toBe(409);
    expect(await (await fetch(url + upload.url)).text()).toBe('one');
  });

  test('sent by many at once is complete with the bytes of one, and nothing is left of the others', async () => {
    const upload = await create();
    const before = (await storedFiles()).length;
    const bodies = Array.from({ length: 6 }, (_, i) => String(i).repeat(200_000));
    const answers = await Promise.all(bodies.map((body) => put(upload.url, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const text = await (await fetch(url + upload.url)).text();
    expect(bodies).toContain(text);
    expect((await storedFiles()).length).toBe(before + 1);
  });

  test('with a wrong size or digest is a 422 that leaves nothing and may be repeated', async () => {
    const upload = await create({ bytes: 5, sha256: sha256('hello') });
    const before = await storedFiles();
    for (const body of ['hell', 'HELLO']) expect((await put(upload.url, body)).status).toBe(422);
    expect(await storedFiles()).toEqual(before);
    expect((await put(upload.url, 'hello')).status).toBe(201);
  });

  test('that is larger than announced is a 413, also without a length', async () => {
    const upload = await create({ bytes: 5 });
    const before = await storedFiles();
    expect((await put(upload.url, 'hello!')).status).toBe(413);
    const chunked = Readable.toWeb(Readable.from(['hel', 'lo!', '!!']));
    const answer = await fetch(url + upload.url, { method: 'PUT', body: chunked, duplex: 'half' });
    expect(await told(answer)).toMatchObject([413, { code: 'TOO_LARGE' }]);
    expect(await storedFiles()).toEqual(before);
    expect((await put(upload.url, 'hello')).status).toBe(201);
  });

  test('that breaks off leaves nothing and may be repeated', async () => {
    const upload = await create();
    const before = await storedFiles();
    const sending = request(url + upload.url, { method: 'PUT', headers: { 'content-length': '1000000' } });
    sending.on('error', () => undefined);
    sending.write('x'.repeat(1_000));
    await until('a part is written', async () => (await storedFiles()).length === before.length + 1);
    sending.destroy();
    await until('the part is gone', async () => (await storedFiles()).length === before.length);
    expect((await put(upload.url, 'whole')).status).toBe(201);
  });

  test('may be empty', async () => {
    const upload = await create({ bytes: 0 });
    expect((await put(upload.url, '')).status).toBe(201);
    const read = await fetch(url + upload.url, { headers: { range: 'bytes=0-' } });
    expect(read.status).toBe(416);
    expect((await fetch(url + upload.url)).headers.get('content-length')).toBe('0');
  });

  test('has its type from its bytes, whatever is said of it', async () => {
    const kinds: [string, Buffer][] = [
      ['image/png', Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1')],
      ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])],
      ['image/gif', Buffer.from('GIF89a....')],
      ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
      ['application/zip', Buffer.from('PK\x03\x04....', 'latin1')],
      ['text/plain', Buffer.from('<script>alert(1)</script>')],
      ['application/octet-stream', Buffer.from('<script>\0alert(1)</script>')],
    ];
    for (const [type, bytes] of kinds) {
      const upload = await create({ mediaType: 'text/html' });
      await put(upload.url, bytes, { 'content-type': 'text/html' });
      expect((await fetch(url + upload.url)).headers.get('content-type')).toBe(type);
    }
  });

  test('is refused by rule with the path of each bad field', async () => {
    const input = { name: '', bytes: String(maxBytes + 1), mediaType: 'x', sha256: 'zz' };
    const fields = (await announce(input)).fields?.map(({ path }) => path[0]);
    expect(fields).toEqual(['name', 'bytes', 'mediaType', 'sha256']);
  });

  test('of 256 MiB goes through without being held in memory', async () => {
    const size = 256 * 1024 * 1024;
    const chunk = Buffer.alloc(1024 * 1024, 7);
    const body = Readable.toWeb(Readable.from(Array(256).fill(chunk)));
    const upload = await create({ bytes: size });
    const before = await residentBytes();
    const answer = await fetch(url + upload.url, { method: 'PUT', body, duplex: 'half' });
    expect(await told(answer)).toMatchObject([201, { bytes: size }]);
    const read = await fetch(url + upload.url);
    const digest = createHash('sha256');
    for await (const part of read.body as unknown as AsyncIterable<Buffer>) digest.update(part);
    expect(`"${digest.digest('hex')}"`).toBe(read.headers.get('etag'));
    expect((await residentBytes()) - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('reading', () => {
  let file: { id: string; url: string };
  const text = 'abcdefghij';

  beforeAll(async () => {
    file = await create({ name: 'résumé "1".txt' });
    await put(file.url, text);
  });

  test('a part is 206 with its place, and one beyond the end 416', async () => {
    const get = (range: string, headers: Record<string, string> = {}) =>
      fetch(url + file.url, { headers: { range, ...headers } });
    const part = await get('bytes=2-4');
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'cde',
      'bytes 2-4/10',
    ]);
    expect(await (await get('bytes=-3')).text()).toBe('hij');
    const beyond = await get('bytes=10-');
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect((await get('bytes=0-1,3-4')).status).toBe(200);
    expect((await get('bytes=0-1', { 'if-range': '"other"' })).status).toBe(200);
    expect((await get('bytes=0-1', { 'if-range': `"${sha256(text)}"` })).status).toBe(206);
  });

  test('HEAD answers as GET does, without the bytes', async () => {
    const head = await fetch(url + file.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  test('nothing a browser would run, and no name that breaks a header', async () => {
    const { headers } = await fetch(url + file.url);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('cache-control')).toMatch(/^private/);
    expect(headers.get('etag')).toBe(`"${sha256(text)}"`);
    const disposition = headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="r_sum_ _1_\.txt"/);
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] as string)).toBe('résumé "1".txt');
  });

  test('a client that goes away frees the file', async () => {
    const big = await create();
    await put(big.url, Buffer.alloc(64 * 1024 * 1024));
    const leaving = new AbortController();
    const answers = await Promise.all([1, 2, 3].map(() => fetch(url + big.url, { signal: leaving.signal })));
    for (const answer of answers) await answer.body?.getReader().read();
    expect(await openHandles()).toBeGreaterThan(0);
    leaving.abort();
    await until('the file is closed', async () => (await openHandles()) === 0);
  });
});

describe('access', () => {
  let file: { id: string; url: string };
  const bearer = (person: SignedIn) => ({ headers: { authorization: `Bearer ${person.token}` } });

  beforeAll(async () => {
    file = await create();
    await put(file.url, 'secret');
  });

  test('without a signature the bearer’s rights decide', async () => {
    const path = `${url}/files/uploads/${file.id}`;
    expect((await fetch(path, bearer(owner))).status).toBe(200);
    expect((await fetch(path, bearer(admin))).status).toBe(200);
    expect((await fetch(path, bearer(other))).status).toBe(404);
    expect((await fetch(path)).status).toBe(404);
  });

  test('a signature that is not good is a 404, whatever the header', async () => {
    const signed = new URL(url + file.url);
    const changed = (change: (query: URLSearchParams) => void): string => {
      const copy = new URL(signed);
      change(copy.searchParams);
      return copy.href;
    };
    const bad = [
      changed((query) => query.set('by', admin.id)),
      changed((query) => query.set('exp', String(Number(query.get('exp')) + 1))),
      changed((query) => query.set('exp', '1')),
      changed((query) => query.set('sig', 'x')),
      changed((query) => query.delete('sig')),
      changed((query) => query.delete('by')),
      `${url}/files/artifacts/${file.id}${signed.search}`,
      `${url}/files/uploads/${(await create()).id}${signed.search}`,
      `${url}/files/uploads/..%2f..%2fetc%2fpasswd${signed.search}`,
      `${url}/files/uploads/%2e%2e/${file.id}`,
    ];
    for (const address of bad)
      expect([address, (await fetch(address, bearer(owner))).status]).toEqual([address, 404]);
  });

  test('an address gives what its signer may do now', async () => {
    const person = await signUp(url);
    const theirs = await create({}, person);
    await put(theirs.url, 'mine');
    expect((await fetch(url + theirs.url, bearer(other))).status).toBe(200);
    await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [person.id]);
    await until('it is not served', async () => (await fetch(url + theirs.url)).status === 404);
  });

  test('a stranger can not send to another’s upload', async () => {
    const upload = await create();
    const path = `/files/uploads/${upload.id}`;
    expect((await put(path, 'x', bearer(other).headers)).status).toBe(404);
    expect((await put(path, 'x')).status).toBe(404);
    expect((await put(path, 'x', bearer(owner).headers)).status).toBe(201);
  });

  test('a stranger’s upload is null, like an unknown one', async () => {
    const node = `query ($id: ID!) { node(id: $id) { id } }`;
    const ask = async (id: string, person: SignedIn) =>
      (await post(url, node, { variables: { id }, token: person.token })).data;
    expect(await ask(file.id, other)).toEqual({ node: null });
    expect(await ask(`upl_${'0'.repeat(26)}`, other)).toEqual({ node: null });
    expect(await ask(file.id, admin)).toEqual({ node: { id: file.id } });
  });
});
