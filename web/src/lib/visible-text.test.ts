import { expect, test } from '@jest/globals';
import { visibleText } from './visible-text.js';

test('colour codes go, words stay', () => {
  expect(visibleText('\u001b[1;32mok\u001b[0m 3 of 5')).toBe('ok 3 of 5');
});

test('other control characters are shown', () => {
  expect(visibleText('a\u0000b\u001b]8;;x\u0007c\rd\u007f')).toBe('a^@b^[]8;;x^Gc^Md^?');
  expect(visibleText('tab\tand\nnewline')).toBe('tab\tand\nnewline');
});

test('marks that turn the direction of writing are shown', () => {
  expect(visibleText('exe\u202egpj')).toBe('exe<202e>gpj');
});
