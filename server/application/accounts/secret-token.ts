import { createHash, randomBytes } from 'node:crypto';

/** What a token is stored and looked up by: SHA-256, lower-case hex. Tokens have 256 random bits, so that no slow hash is needed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A fresh secret with a prefix that tells people and secret scanners what it is: 32 random bytes, base64url. */
export const makeToken = (prefix: 'gjmw' | 'gjmi' | 'gjms'): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`;
