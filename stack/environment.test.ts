import { expect, test } from '@jest/globals';
import { readEnvironment } from './environment.js';

test('defaults are those of one box', () => {
  const environment = readEnvironment({});
  expect(environment).toMatchObject({ host: '127.0.0.1', port: 4000, databaseUrl: undefined, graceMs: 5000 });
  expect(environment.dataDir).toMatch(/\/\.gjm$/);
});

test('an empty variable counts as not set', () => {
  expect(readEnvironment({ GJM_PORT: '', DATABASE_URL: '' }).port).toBe(4000);
});

test('every bad variable is named at once', () => {
  const read = () => readEnvironment({ GJM_PORT: '70000', GJM_SECRET: 'short', REDIS_URL: 'http://x' });
  expect(read).toThrow(/GJM_PORT[^]*GJM_SECRET[^]*REDIS_URL/);
});

test('a cache folder follows XDG_CACHE_HOME, then HOME', () => {
  const { cacheFolders } = readEnvironment({ XDG_CACHE_HOME: '/c', HOME: '/h' });
  expect(cacheFolders).toEqual(['/c/gjm', '/h/.cache/gjm']);
});
