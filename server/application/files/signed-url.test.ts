import { describe, expect, test } from '@jest/globals';
import { newId } from '../new-id.js';
import { signFileUrl, verifyFileUrl } from './signed-url.js';

const key = Buffer.alloc(32, 1);
const [viewer, artifact] = [newId('user'), newId('artifact')];
const now = 1_800_000_123;

const queryOf = (url: string) => Object.fromEntries(new URL(url, 'http://x').searchParams);

describe('signed addresses', () => {
  const url = signFileUrl(key, 'artifact', artifact, viewer, now);

  test('an address names its signer for an hour at least, and then nobody', () => {
    const query = queryOf(url);
    expect(verifyFileUrl(key, 'artifact', artifact, query, now)).toBe(viewer);
    expect(verifyFileUrl(key, 'artifact', artifact, query, now + 3_600)).toBe(viewer);
    expect(verifyFileUrl(key, 'artifact', artifact, query, now + 7_200)).toBeNull();
  });

  test('it stays the same for a while, so that caches work', () => {
    expect(signFileUrl(key, 'artifact', artifact, viewer, now + 60)).toBe(url);
  });

  test('no part of it can be exchanged', () => {
    const query = queryOf(url);
    const check = (
      change: object,
      kind: 'artifact' | 'upload' = 'artifact',
      id: string = artifact,
      other = key,
    ) => verifyFileUrl(other, kind, id, { ...query, ...change }, now);
    expect(check({})).toBe(viewer);
    expect(check({ by: newId('user') })).toBeNull();
    expect(check({ exp: String(Number(query['exp']) + 1) })).toBeNull();
    expect(check({ exp: `0${query['exp']}` })).toBe(viewer); // the same number
    expect(check({ exp: '1e12' })).toBeNull();
    expect(check({ sig: '' })).toBeNull();
    expect(check({ sig: undefined })).toBeNull();
    expect(check({ sig: ['a', 'b'] })).toBeNull();
    expect(check({}, 'upload')).toBeNull();
    expect(check({}, 'artifact', newId('artifact'))).toBeNull();
    expect(check({}, 'artifact', artifact, Buffer.alloc(32, 2))).toBeNull();
  });
});
