import { describe, expect, test } from '@jest/globals';
import { newId } from '../new-id.js';
import { firstRefreshToken, sessionOf, successorOf } from './refresh-token.js';

const key = Buffer.alloc(32, 1);

describe('refresh tokens', () => {
  test('a token and all its successors name their session; the successor is always the same', () => {
    const session = newId('session');
    let token = firstRefreshToken(key, session);
    for (let i = 0; i < 5; i++) {
      expect(sessionOf(key, token)).toBe(session);
      expect(successorOf(key, session, token)).toBe(successorOf(key, session, token));
      token = successorOf(key, session, token);
    }
  });

  test('text that this server did not make names nothing', () => {
    const [session, other] = [newId('session'), newId('session')];
    const token = firstRefreshToken(key, session);
    expect(sessionOf(Buffer.alloc(32, 2), token)).toBeNull();
    expect(sessionOf(key, token.replace(session, other))).toBeNull();
    for (const place of [45, 60, 90]) {
      const changed = token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1);
      expect(sessionOf(key, changed)).toBeNull();
    }
    for (const text of ['', 'gjmr_', `${token}A`, ` ${token}`]) expect(sessionOf(key, text)).toBeNull();
  });
});
