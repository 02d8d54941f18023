import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseId } from '@gjm/core/ids.js';

/**
 * Refresh tokens are `gjmr_<session id>_<64 base64url digits>`: 32 secret bytes and 16 that prove that this server made them. The
 * successor's secret is HMAC(server key, presented token), so that a client that never saw the answer gets the same successor again, and
 * nothing but hashes is stored. The proof tells a stolen or replayed ancestor (which ends the session) from invented text (which does
 * nothing).
 */
const form = /^gjmr_(ses_[0-9a-z]{26})_([\w-]{64})$/;

export const firstRefreshToken = (key: Buffer, sessionId: string): string =>
  tokenOf(key, sessionId, randomBytes(32));

/** What a presented token is exchanged for. */
export const successorOf = (key: Buffer, sessionId: string, presented: string): string =>
  tokenOf(key, sessionId, createHmac('sha256', key).update(`successor\n${presented}`).digest());

/** The session that a token was made for, or null when this server never made it. */
export function sessionOf(key: Buffer, token: string): string | null {
  const [, sessionText, digits] = form.exec(token) ?? [];
  const sessionId = parseId('session', sessionText);
  if (!sessionId || !digits) return null;
  const bytes = Buffer.from(digits, 'base64url');
  const proof = proofOf(key, sessionId, bytes.subarray(0, 32));
  return timingSafeEqual(proof, bytes.subarray(32)) ? sessionId : null;
}

function tokenOf(key: Buffer, sessionId: string, secret: Buffer): string {
  return `gjmr_${sessionId}_${Buffer.concat([secret, proofOf(key, sessionId, secret)]).toString('base64url')}`;
}

const proofOf = (key: Buffer, sessionId: string, secret: Buffer): Buffer =>
  createHmac('sha256', key).update(`proof\n${sessionId}\n`).update(secret).digest().subarray(0, 16);
