import { expect, test } from '@jest/globals';
import { distinctFileNames, safeFileName } from './file-name.js';

test.each([
  ['output.png', 'output.png'],
  ['../../etc/passwd', '___.._etc_passwd'],
  ['/etc/passwd', '_etc_passwd'],
  ['..\\..\\boot.ini', '___.._boot.ini'],
  ['.bashrc', '_bashrc'],
  ['--force', '__force'],
  ['a\u0000b\u001b[2J.txt', 'a^@b^[[2J.txt'],
  ['two\r\nlines', 'two lines'],
  ['', 'art_1'],
  ['..', 'art_1'],
  ['/', 'art_1'],
  ['日本語 é "quoted"; x.png', '日本語 é _quoted_; x.png'],
  ['trailing.', 'trailing.'],
])('the label %j is saved as %j', (label, name) => {
  expect(safeFileName(label, 'art_1')).toBe(name);
});

test('a long name is cut in bytes, between letters, and keeps its ending', () => {
  const name = safeFileName(`${'語'.repeat(300)}.png`, 'art_1');
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(name).toMatch(/^語+\.png$/);
});

test('equal labels get different names', () => {
  const files = ['a', 'A', 'b'].map((name, at) => ({ name, id: `art_${at}` }));
  expect(distinctFileNames(files)).toEqual(['a', 'art_1-A', 'b']);
});
