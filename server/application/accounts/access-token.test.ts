import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { newId } from '../new-id.js';
import { issueAccessToken, readAccessToken } from './access-token.js';

const key = Buffer.alloc(32, 1);
const [userId, sessionId] = [newId('user'), newId('session')];

/** A token that is good but for what `change` does to its claims, or for how it is signed. */
function forge(change: object, options: jwt.SignOptions = {}, secret: jwt.Secret = key): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: userId,
    sid: sessionId,
    iss: 'gjm',
    aud: 'gjm-api',
    jti: 'x',
    iat: now,
    exp: now + 60,
    ...change,
  };
  return jwt.sign(JSON.parse(JSON.stringify(claims)) as object, secret, options);
}

describe('access tokens', () => {
  test('a token tells what it was issued for', () => {
    const { token, expiresAt } = issueAccessToken(key, userId, sessionId, 60);
    expect(readAccessToken(key, token)).toEqual({ userId, sessionId, expiresAt });
    expect(readAccessToken(key, forge({}))).toMatchObject({ userId, sessionId });
  });

  test.each<[string, object]>([
    ['expired', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['not valid yet', { nbf: Math.floor(Date.now() / 1000) + 60 }],
    ['without an end', { exp: undefined }],
    ['of another issuer', { iss: 'other' }],
    ['for another audience', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a malformed subject', { sub: 'usr_x' }],
    ['without a session', { sid: undefined }],
    ['with a session of another noun', { sid: newId('job') }],
    ['without an id', { jti: undefined }],
  ])('a token %s is not good', (_what, change) => {
    expect(readAccessToken(key, forge(change))).toBeNull();
  });

  test('another algorithm, key or critical header is not good', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    expect(readAccessToken(key, forge({}, { algorithm: 'HS512' }))).toBeNull();
    expect(readAccessToken(key, forge({}, {}, Buffer.alloc(32, 2)))).toBeNull();
    expect(readAccessToken(Buffer.from(pem), forge({}, { algorithm: 'RS256' }, privateKey))).toBeNull();
    expect(readAccessToken(key, forge({}, { algorithm: 'none' }, ''))).toBeNull();
    expect(readAccessToken(key, forge({}, { header: { alg: 'HS256', crit: ['b64'] } }))).toBeNull();
  });

  test.each(['', '.', '..', 'a.b.c', 'null', '\u0000', 'x'.repeat(10_000)])('text %j is not good', (text) => {
    expect(readAccessToken(key, text)).toBeNull();
  });
});
