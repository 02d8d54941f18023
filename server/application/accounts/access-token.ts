import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { parseId } from '@gjm/core/ids.js';

/** Made once per key: given plain bytes, the library tries each time to read them as a public key, 1 ms per request. */
const keyObjects = new WeakMap<Buffer, KeyObject>();
function keyObjectOf(key: Buffer): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return known;
}

const issuer = 'gjm';
const audience = 'gjm-api';

export interface AccessClaims {
  userId: string;
  sessionId: string;
  expiresAt: Date;
}

/** A JWT (RFC 7519), HS256, that names a user and a session. */
export function issueAccessToken(
  key: Buffer,
  userId: string,
  sessionId: string,
  seconds: number,
): { token: string; expiresAt: Date } {
  const issuedAt = Math.floor(Date.now() / 1000);
  const token = jwt.sign({ sid: sessionId, iat: issuedAt }, keyObjectOf(key), {
    algorithm: 'HS256',
    issuer,
    audience,
    subject: userId,
    jwtid: randomBytes(12).toString('base64url'),
    expiresIn: seconds,
  });
  return { token, expiresAt: new Date((issuedAt + seconds) * 1000) };
}

/** The claims of a token that is good in every respect (algorithm, signature, issuer, audience, times, subject, session), else null. */
export function readAccessToken(key: Buffer, token: string): AccessClaims | null {
  let claims: jwt.JwtPayload;
  try {
    const { header, payload } = jwt.verify(token, keyObjectOf(key), {
      algorithms: ['HS256'],
      issuer,
      audience,
      complete: true,
    });
    // RFC 7515 4.1.11: what we do not understand must make the token invalid; the library does not look.
    if ('crit' in header || typeof payload === 'string') return null;
    claims = payload;
  } catch {
    return null;
  }
  const userId = parseId('user', claims.sub);
  const sessionId = parseId('session', claims['sid']);
  if (!userId || !sessionId || !claims.exp || !claims.jti) return null;
  return { userId, sessionId, expiresAt: new Date(claims.exp * 1000) };
}
