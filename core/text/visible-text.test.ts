import { expect, test } from '@jest/globals';
import { visibleJson, visibleLine, visibleText } from './visible-text.js';

// eslint-disable-next-line no-control-regex -- what must never come out
const steers = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test.each([
  ['a clear and a title', '\u001b[2J\u001b]0;gone\u0007text', '^[[2J^[]0;gone^Gtext'],
  ['a link', '\u001b]8;;javascript:alert(1)\u001b\\here', '^[]8;;javascript:alert(1)^[\\here'],
  ['colours', '\u001b[31mred\u001b[0m \u001b[38:5:1mnew\u001b[m', 'red new'],
  ['8-bit controls', '\u009b2Jtext\u007f', '<009b>2Jtext^?'],
  ['a turn of direction', 'exe\u202egpj', 'exe<202e>gpj'],
  ['a carriage return', 'safe\rhidden', 'safe^Mhidden'],
])('%s is shown and not obeyed', (_name, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleText(text)).not.toMatch(steers);
});

test('letters of all scripts, line ends and tabs stay', () => {
  const text = 'naïve 日本語 👩‍💻 é\n\ttab';
  expect(visibleText(text)).toBe(text);
  expect(visibleLine(' a\r\n\tb\n')).toBe('a b');
});

test('JSON escapes what a terminal would obey, and reads back the same', () => {
  const value = { text: '\u009b2J\u001b[2J\u202e\u{e0041}\n' };
  const json = visibleJson(value);
  expect(json).not.toMatch(steers);
  expect(JSON.parse(json)).toEqual(value);
  expect(JSON.parse(visibleJson(value, 2))).toEqual(value);
});
