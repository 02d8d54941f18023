/** Colour codes of jobs: nothing is lost without them. */
// eslint-disable-next-line no-control-regex -- finding control characters is the point
const colours = /\u001b\[[\d;:]*m/g;
/** Everything that steers a terminal, or hides what a line says: controls, and marks without a shape such as turns of direction. */
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** What joins emoji and letters of some scripts; alone it steers nothing. */
const joiners = new Set(['\u200c', '\u200d']);

function shown(mark: string): string {
  const code = mark.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return joiners.has(mark) ? mark : `<${code.toString(16).padStart(4, '0')}>`;
}

/**
 * Text of other people, for a terminal or a page: colour codes are left out, every control is shown and none obeyed; line ends and tabs
 * stay. `^[` is how terminals write an escape; any font has it.
 */
export const visibleText = (text: string): string =>
  text
    .replace(colours, '')
    .replace(steering, (mark) => (mark === '\n' || mark === '\t' ? mark : shown(mark)));

/** The same on one line: line ends and tabs become blanks. */
export const visibleLine = (text: string): string => visibleText(text.replace(/\s*[\r\n\t]\s*/g, ' ')).trim();

/** JSON that steers no terminal either: what JSON leaves as it is among controls is written as an escape. */
export const visibleJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) =>
    mark === '\n'
      ? mark
      : Array.from({ length: mark.length }, (_, at) => escape(mark.charCodeAt(at))).join(''),
  );

const escape = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
