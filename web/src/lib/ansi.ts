import { visibleText } from '@gjm/core/text/visible-text.js';

/** A run of text in one look; `look` is a set of class names of ours, never something from outside. */
export interface Span {
  text: string;
  look: string;
}

const colours: Record<number, string> = { 1: 'r', 2: 'g', 3: 'y', 4: 'b', 5: 'm', 6: 'c', 0: 'd' };

interface Look {
  colour: string;
  isBold: boolean;
  isDim: boolean;
}
const plain: Look = { colour: '', isBold: false, isDim: false };

function applyCode(look: Look, code: number): Look {
  if (code === 0) return plain;
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, isDim: true };
  if (code === 22) return { ...look, isBold: false, isDim: false };
  if (code === 39) return { ...look, colour: '' };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
    return { ...look, colour: colours[code % 10] ?? '' };
  return look;
}

const classesOf = ({ colour, isBold, isDim }: Look): string =>
  [colour && `a-${colour}`, isBold && 'a-w', isDim && 'a-d'].filter(Boolean).join(' ');

// eslint-disable-next-line no-control-regex -- finding colour codes is the point
const colourCode = /\u001b\[([\d;]*)m/g;

/**
 * One line of a log as runs of text. Colour codes become classes; every other control code is shown and never obeyed. Codes of 256 or
 * more colours (38, 48) change nothing: what follows them belongs to them.
 */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  let look = plain;
  let from = 0;
  const add = (text: string): void => {
    if (text !== '') spans.push({ text: visibleText(text), look: classesOf(look) });
  };
  for (const match of line.matchAll(colourCode)) {
    add(line.slice(from, match.index));
    from = match.index + match[0].length;
    for (const code of (match[1] ?? '').split(';').map(Number)) {
      if (code === 38 || code === 48) break;
      look = applyCode(look, code);
    }
  }
  add(line.slice(from));
  return spans;
}
