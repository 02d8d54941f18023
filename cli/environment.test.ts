import { expect, test } from '@jest/globals';
import { readEnvironment } from './environment.js';

const colour = (variables: Record<string, string>, isTerminal = true): boolean =>
  readEnvironment(variables).hasColour(isTerminal);

test('colours: FORCE_COLOR, then NO_COLOR, then what the stream is', () => {
  expect(colour({})).toBe(true);
  expect(colour({}, false)).toBe(false);
  expect(colour({ NO_COLOR: '1' })).toBe(false);
  expect(colour({ NO_COLOR: '' })).toBe(true);
  expect(colour({ TERM: 'dumb' })).toBe(false);
  expect(colour({ FORCE_COLOR: '1', NO_COLOR: '1' }, false)).toBe(true);
  expect(colour({ FORCE_COLOR: '0' })).toBe(false);
});

test('a relative XDG_CONFIG_HOME is ignored, and empty variables count as not set', () => {
  expect(readEnvironment({ XDG_CONFIG_HOME: '/conf' }).configDir).toBe('/conf/gjm');
  expect(readEnvironment({ XDG_CONFIG_HOME: 'conf' }).configDir).toMatch(/\/\.config\/gjm$/);
  expect(readEnvironment({ GJM_URL: '', GJM_TOKEN: '' })).toMatchObject({ url: undefined, token: undefined });
  expect(readEnvironment({ TERM: 'dumb' }).canRedraw).toBe(false);
});
