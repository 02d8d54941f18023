const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Letters that take two cells: East Asian wide and full-width blocks. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;
const empty = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const plain = /^[\x20-\x7e]*$/;
// eslint-disable-next-line no-control-regex -- our own colours are what is looked for
const colours = /\u001b\[[\d;]*m/g;

function cellsOf(grapheme: string): number {
  if (empty.test(grapheme)) return 0;
  return wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1;
}

/** Cells that a text takes on a terminal; our own colours take none. */
export function widthOf(text: string): number {
  const bare = text.replace(colours, '');
  if (plain.test(bare)) return bare.length;
  let cells = 0;
  for (const { segment } of graphemes.segment(bare)) cells += cellsOf(segment);
  return cells;
}

/** A text without colours in at most `cells` cells; where something is lost it ends in `…`. */
export function cutTo(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (cells <= 0) return '';
  let taken = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += cellsOf(segment);
    if (used > cells - 1) break;
    taken += segment;
  }
  return `${taken}…`;
}

/** Filled up with blanks to `cells`. */
export const padTo = (text: string, cells: number): string =>
  text + ' '.repeat(Math.max(0, cells - widthOf(text)));
