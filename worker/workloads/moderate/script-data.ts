/**
 * Models that come as browser scripts, `….exports={…}` and `….exports="…"`, read as the data they are: not a character of theirs is run.
 * The scripts' way of writing (minified JavaScript literals) is that of the npm package nsfwjs.
 */

/** One token of a minified literal: text, a name, true or false as `!0` and `!1`, a number, or a mark. */
const tokens = /"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*|![01]|-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[{}[\],:]/gy;

const opening = /[{[]/;
const closing = /[}\]]/;
const words: Record<string, string> = { '!0': 'true', '!1': 'false' };

/** The object a script exports. @throws SyntaxError when it exports none, or anything but plain data */
export function exportedObject(script: string): unknown {
  const parts: string[] = [];
  let depth = 0;
  tokens.lastIndex = startOfExport(script, '{');
  do {
    const at = tokens.lastIndex;
    const token = tokens.exec(script)?.[0];
    if (token === undefined) throw new SyntaxError(`The script has no plain data at ${at}.`);
    if (opening.test(token) && token.length === 1) depth++;
    if (closing.test(token) && token.length === 1) depth--;
    parts.push(jsonOf(token, script[tokens.lastIndex]));
  } while (depth > 0);
  return JSON.parse(parts.join(''));
}

/** The bytes a script exports as one base64 text. @throws SyntaxError when it exports none */
export function exportedBytes(script: string): Buffer {
  const from = startOfExport(script, '"') + 1;
  const to = script.indexOf('"', from);
  if (to < 0) throw new SyntaxError('The text that the script exports has no end.');
  return Buffer.from(script.slice(from, to), 'base64');
}

function startOfExport(script: string, first: string): number {
  const mark = `.exports=${first}`;
  const at = script.indexOf(mark);
  if (at < 0) throw new SyntaxError('The script exports nothing of the kind.');
  return at + mark.length - 1;
}

function jsonOf(token: string, next: string | undefined): string {
  if (/^[A-Za-z_$]/.test(token) && next === ':') return JSON.stringify(token);
  if (/^-?\d*\./.test(token)) return String(Number(token));
  return words[token] ?? token;
}
