import { describe, expect, test } from '@jest/globals';
import { attachmentNamed } from './content-disposition.js';

const nameIn = (header: string): string =>
  decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? '');

describe('attachmentNamed', () => {
  test.each([
    '結果.png',
    '🙂.zip',
    'e\u0301.txt',
    'a"b;c.txt',
    "it's (1)!*.txt",
    'dot.',
    '100%.csv',
    'x'.repeat(255),
  ])('gives %s back unchanged, in a header of plain ASCII', (name) => {
    const header = attachmentNamed(name);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(nameIn(header)).toBe(name);
  });

  test('a line break adds no header', () => {
    expect(attachmentNamed('a\r\nset-cookie: x=1')).toMatch(/^[\x20-\x7e]+$/);
  });

  test('a path is a label', () => {
    expect(attachmentNamed('../../etc/passwd')).toContain('filename=".._.._etc_passwd"');
  });
});
