import { beforeAll, describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import { schema } from './schema-walk.js';
import { lookAtAll, makeWorld, unknownLike, type World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await makeWorld();
}, 60_000);

interface Heard {
  status: number;
  body: string;
  headers: string[];
}

async function fetchFile(path: string, method: string, authorization?: string): Promise<Heard> {
  const response = await fetch(world.url + path, {
    method,
    headers: authorization ? { authorization } : {},
    ...(method === 'PUT' ? { body: 'bytes of B' } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text.replace(/"requestId":"[^"]*"/, ''),
    headers: [...response.headers.keys()]
      .filter((name) => !['keep-alive', 'connection'].includes(name))
      .sort(),
  };
}

/** Every way to come without the right, for one address of A's. */
function attacks(url: string): [what: string, path: string, authorization?: string][] {
  const [path = '', query = ''] = url.split('?');
  const signed = new URLSearchParams(query);
  const changed = (change: Record<string, string | null>) => {
    const copy = new URLSearchParams(signed);
    for (const [name, value] of Object.entries(change))
      if (value === null) copy.delete(name);
      else copy.set(name, value);
    return `${path}?${copy.toString()}`;
  };
  const signature = signed.get('sig') ?? '';
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  const bearerOfB = `Bearer ${world.b.token}`;
  return [
    ['nothing', path],
    ['another user’s token', path, bearerOfB],
    ['a bad token', path, 'Bearer x.y.z'],
    ['a worker-like token', path, `Bearer gjmw_${'x'.repeat(43)}`],
    ['a signature of nobody', changed({ by: null })],
    ['a signature for another user', changed({ by: world.b.id }), bearerOfB],
    ['an expired signature', changed({ exp: '1700000000' })],
    ['a longer life', changed({ exp: '9999999999' })],
    ['a tampered signature', changed({ sig: flipped })],
    ['a tampered signature, whoever the token is', changed({ sig: flipped }), `Bearer ${world.a.token}`],
    ['half a signature', changed({ sig: signature.slice(0, 20) })],
    ['an empty signature', changed({ sig: '' })],
    [
      'the signature of another file',
      `${path}?${(url === world.of.uploadUrl ? world.of.artifactUrl : world.of.uploadUrl).split('?')[1]}`,
    ],
    ['two of each', `${url}&${query}&sig=x`.replace('?', '?sig=x&')],
  ];
}

const addresses = () => [world.of.uploadUrl, world.of.openUploadUrl, world.of.artifactUrl];

describe('the address of a file', () => {
  test('is what exactly these types have', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && 'url' in type.getFields(),
    );
    expect(types.map(({ name }) => name).sort()).toEqual(['Artifact', 'Upload']);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'POST'])(
    'answers %s without a right exactly like an unknown one',
    async (method) => {
      const before = await lookAtAll(world);
      for (const url of addresses())
        for (const [what, path, authorization] of attacks(url)) {
          const unknown = path.replace(/(upl|art)_\w+/, (id) => unknownLike(id));
          const [theirs, nobodys] = await Promise.all([
            fetchFile(path, method, authorization),
            fetchFile(unknown, method, authorization),
          ]);
          expect([what, theirs]).toEqual([what, nobodys]);
          expect([what, theirs.status]).toEqual([what, 404]);
        }
      expect(await lookAtAll(world)).toEqual(before);
    },
  );

  test('serves its owner, signed or by token, and nobody else by either', async () => {
    for (const url of [world.of.uploadUrl, world.of.artifactUrl]) {
      const path = url.split('?')[0] as string;
      for (const [address, authorization] of [
        [url, undefined],
        [url, `Bearer ${world.b.token}`], // a signature counts, and no header then
        [path, `Bearer ${world.a.token}`],
      ] as const) {
        expect((await fetchFile(address, 'GET', authorization)).status).toBe(200);
        expect((await fetchFile(address, 'HEAD', authorization)).status).toBe(200);
      }
    }
  });

  test.each([
    '/files/',
    '/files/uploads/',
    '/files/uploads/..%2f..%2fetc%2fpasswd',
    '/files/uploads/%00',
    '/files/secrets/x',
    '/files//uploads',
    `/files/uploads/${'x'.repeat(5_000)}`,
    '/files/artifacts/upl_00000000000000000000000000',
    '/files/uploads/a?by[]=1&exp=1&sig=1',
    '/files/uploads/a?exp=1e9&sig=%00&by=%ff',
  ])('that is none is a 404: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'PUT']) expect((await fetchFile(path, method)).status).toBe(404);
  });
});
