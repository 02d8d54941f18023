import { describe, expect, test } from '@jest/globals';
import { noticeLaterRelease, requireClock, requireMigrations, requireVersion } from './check-database.js';

describe('the database', () => {
  test('must be Postgres 15 or later', () => {
    expect(() => requireVersion({ version: 150_000, versionName: '15.0' })).not.toThrow();
    expect(() => requireVersion({ version: 140_019, versionName: '14.19' })).toThrow(
      'The database is Postgres 14.19: version 15 or later is needed.',
    );
  });

  test('may have a clock two seconds off, and as much more as its answer took', () => {
    const look = { startedMs: 100_000, endedMs: 100_000 };
    for (const offMs of [-2_000, 0, 2_000])
      expect(() => requireClock({ ...look, atMs: 100_000 + offMs })).not.toThrow();
    expect(() => requireClock({ startedMs: 100_000, endedMs: 104_000, atMs: 105_900 })).not.toThrow();
    expect(() => requireClock({ ...look, atMs: 112_000 })).toThrow('is 12 s ahead of this server');
    expect(() => requireClock({ ...look, atMs: 97_000 })).toThrow('is 3 s behind this server');
  });

  test('must have every migration, and may have later ones', () => {
    expect(() => requireMigrations({ missing: [], unknown: ['B'] })).not.toThrow();
    expect(() => requireMigrations({ missing: ['A'], unknown: [] })).toThrow('lacks the migration A');
    expect(() => noticeLaterRelease({ missing: [], unknown: ['B'] })).toThrow('update this server');
  });
});
