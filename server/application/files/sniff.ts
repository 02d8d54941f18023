import type { SniffedType } from '@gjm/core/workload/define.js';

/** How many first bytes {@link sniffType} looks at. */
export const sniffBytes = 512;

const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

/** First bytes by type; each entry is [offset, bytes] and all of a row must match. Sources: the formats' own specifications. */
const signatures: [SniffedType, ...[number, number[]][]][] = [
  ['image/png', [0, [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]]],
  ['image/jpeg', [0, [0xff, 0xd8, 0xff]]],
  ['image/gif', [0, ascii('GIF87a')]],
  ['image/gif', [0, ascii('GIF89a')]],
  ['image/webp', [0, ascii('RIFF')], [8, ascii('WEBP')]],
  ['audio/wav', [0, ascii('RIFF')], [8, ascii('WAVE')]],
  ['application/zip', [0, [...ascii('PK'), 3, 4]]],
  ['application/zip', [0, [...ascii('PK'), 5, 6]]],
];

/** What a file is by its first bytes, whatever its name or sender says. */
export function sniffType(head: Uint8Array): SniffedType {
  const isThere = ([offset, bytes]: [number, number[]]) =>
    bytes.every((byte, index) => head[offset + index] === byte);
  const known = signatures.find(([, ...parts]) => parts.every(isThere))?.[0];
  return known ?? (isText(head) ? 'text/plain' : 'application/octet-stream');
}

/** Whether these first bytes are UTF-8 text, the last character possibly cut off, with no control characters but white space. */
function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    return !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text);
  } catch {
    return false;
  }
}
