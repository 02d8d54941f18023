import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createClient, type Artifact, type NodeClient } from './node.js';
import { startStub, type StubServer } from './testing/stub-server.js';

const bytes = randomBytes(300_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const artifact: Artifact = {
  id: 'art_1',
  name: 'output.bin',
  mediaType: 'application/octet-stream',
  bytes: bytes.length,
  sha256,
  role: 'RESULT',
  attempt: 1,
  url: '/files/art_1?sig=good',
  createdAt: '2026-01-01T00:00:00.000Z',
};

let folder: string;
let server: StubServer;
let client: NodeClient;
let requests: { method: string; range: string | undefined; url: string }[];
let serve: (request: IncomingMessage, response: ServerResponse, nth: number) => void;
let stored: Buffer | null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-client-'));
  requests = [];
  stored = null;
  const upload = (): object => ({
    __typename: 'Upload',
    id: 'upl_1',
    name: 'a.bin',
    url: '/files/upl_1?sig=good',
    bytes: stored?.length ?? null,
    sha256: stored && createHash('sha256').update(stored).digest('hex'),
    complete: stored !== null,
    expiresAt: '2026-01-01T00:00:00.000Z',
  });
  server = await startStub({
    fields: {
      createUpload: () => ({ __typename: 'CreateUploadSuccess', upload: upload() }),
      node: ({ id }) => (id === 'upl_1' ? upload() : { __typename: 'Artifact', ...artifact }),
    },
    files: (request, response) => {
      requests.push({ method: request.method ?? '', range: request.headers.range, url: request.url ?? '' });
      serve(request, response, requests.length);
    },
  });
  client = createClient({ url: server.url, silentMs: 400 });
});

afterEach(async () => {
  client.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Answers a range as it should be, and breaks the connection `after` bytes. */
function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  after = Infinity,
): void {
  const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const rest = content.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': rest.length,
    ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
  });
  if (rest.length <= after) response.end(rest);
  else response.write(rest.subarray(0, after), () => setTimeout(() => response.destroy(), 20));
}

const download = async (): Promise<Buffer> => {
  const path = join(folder, 'deep', 'output.bin');
  await client.downloadArtifact(artifact, path);
  return readFile(path);
};

test('a download that is cut off again and again is resumed by range and ends whole', async () => {
  serve = (request, response) => sendRange(request, response, bytes, 80_000);
  expect((await download()).equals(bytes)).toBe(true);
  const starts = requests.slice(1).map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]));
  expect(starts.length).toBeGreaterThanOrEqual(3);
  expect(starts.every((start, i) => start > (starts[i - 1] ?? 0) && start <= 80_000 * (i + 1))).toBe(true);
  expect(await readdir(join(folder, 'deep'))).toEqual(['output.bin']);
});

test('a server that ignores ranges is read again from the start without repeating a byte', async () => {
  serve = (_request, response, nth) => {
    response.writeHead(200, { 'content-length': bytes.length });
    if (nth > 1) response.end(bytes);
    else response.write(bytes.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 20));
  };
  expect((await download()).equals(bytes)).toBe(true);
});

test('wrong bytes are refused, and nothing stays under the name', async () => {
  const wrong = Buffer.from(bytes);
  wrong[150_000]! ^= 1;
  serve = (request, response) => sendRange(request, response, wrong);
  await expect(download()).rejects.toMatchObject({ name: 'TransferError' });
  expect(await readdir(join(folder, 'deep'))).toEqual([]);
});

test('the plain digest of browsers refuses them too', async () => {
  serve = (request, response) => sendRange(request, response, randomBytes(bytes.length));
  const reading = new Response(client.fetchArtifact(artifact)).arrayBuffer();
  await expect(reading).rejects.toMatchObject({ name: 'TransferError' });
});

test('more bytes than recorded are refused', async () => {
  serve = (request, response) => sendRange(request, response, Buffer.concat([bytes, bytes]));
  await expect(download()).rejects.toThrow('larger');
});

test('an expired link is replaced by the fresh one of its record, once', async () => {
  serve = (request, response, nth) => {
    if (nth > 1) sendRange(request, response, bytes);
    else response.writeHead(404).end();
  };
  expect((await download()).equals(bytes)).toBe(true);
  serve = (_request, response) => response.writeHead(404).end();
  await expect(download()).rejects.toMatchObject({ name: 'TransferError', status: 404 });
});

test('an empty artifact is an empty file', async () => {
  const empty = { ...artifact, bytes: 0, sha256: createHash('sha256').digest('hex') };
  await client.downloadArtifact(empty, join(folder, 'empty'));
  expect((await readFile(join(folder, 'empty'))).length).toBe(0);
});

/** Takes a PUT whole. */
async function take(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

test('an upload that is cut off is sent again from the start', async () => {
  const path = join(folder, 'a.bin');
  await writeFile(path, bytes);
  serve = (request, response, nth) => {
    if (nth < 3) request.once('data', () => request.destroy());
    else
      void take(request).then((content) => {
        stored = content;
        response.writeHead(201).end('{}');
      });
  };
  expect(await client.uploadFile(path)).toMatchObject({
    id: 'upl_1',
    complete: true,
    sha256,
    bytes: bytes.length,
  });
  expect(requests.length).toBe(3);
});

test('an upload whose answer was lost is found complete', async () => {
  serve = (request, response, nth) => {
    if (nth > 1) response.writeHead(409).end();
    else
      void take(request).then((content) => {
        stored = content;
        request.socket.destroy();
      });
  };
  const sent = await client.upload({ name: 'a.bin', source: new Uint8Array(bytes) });
  expect(sent.complete).toBe(true);
});

test('a refused upload says with which status and is not sent again', async () => {
  serve = (request, response) => void take(request).then(() => response.writeHead(413).end('too large'));
  const sending = client.upload({ name: 'a.bin', source: new Blob([bytes]) });
  await expect(sending).rejects.toMatchObject({ name: 'TransferError', status: 413 });
  expect(requests.length).toBe(1);
});

test('a connection that stands still is left for a new one, in both directions', async () => {
  serve = (request, response, nth) => {
    if (nth === 1)
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 50_000));
    else sendRange(request, response, bytes);
  };
  expect((await download()).equals(bytes)).toBe(true);
  const before = requests.length;
  serve = (request, response, nth) => {
    if (nth > before + 1)
      void take(request).then((content) => {
        stored = content;
        response.writeHead(201).end('{}');
      });
  };
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  expect((await client.upload({ name: 'a.bin', source })).sha256).toBe(sha256);
});
