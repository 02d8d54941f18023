import { expect, test } from '@jest/globals';
import { spansOf } from './ansi.js';

test('colours become classes and end where they are reset', () => {
  expect(spansOf('a \u001b[1;32mok\u001b[0m b \u001b[91mno\u001b[39m')).toEqual([
    { text: 'a ', look: '' },
    { text: 'ok', look: 'a-g a-w' },
    { text: ' b ', look: '' },
    { text: 'no', look: 'a-r' },
  ]);
});

test('markup, links, clears and cursor moves stay visible text', () => {
  expect(spansOf('<img src=x onerror="x()">')).toEqual([{ text: '<img src=x onerror="x()">', look: '' }]);
  expect(spansOf('\u001b]8;;javascript:x\u0007link\u001b[2J')).toEqual([
    { text: '^[]8;;javascript:x^Glink^[[2J', look: '' },
  ]);
});

test('a colour of the large palette is left out whole', () => {
  expect(spansOf('\u001b[38;5;31mx')).toEqual([{ text: 'x', look: '' }]);
});
