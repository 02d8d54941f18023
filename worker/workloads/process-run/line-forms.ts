import type { ProgressUpdate } from '../define.js';

/** What a line of a program says to us, if it has one of our forms. */
export type Said =
  | { is: 'progress'; update: ProgressUpdate }
  | { is: 'metrics'; values: [name: string, value: number][]; step?: number };

const prefix = '::gjm ';
/** Longer lines are no lines of ours, in bytes. */
const longestLine = 4_096;
const mostMetrics = 32;

/** Finds lines of our forms in a stream of bytes. Memory is bounded by one such line. */
export class LineForms {
  readonly #hear: (said: Said) => void;
  /** The open line while it could still be ours; null once it can not. */
  #open: Buffer | null = Buffer.alloc(0);

  constructor(hear: (said: Said) => void) {
    this.#hear = hear;
  }

  push(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#grow(bytes.subarray(from, end));
      this.end();
      from = end + 1;
    }
    this.#grow(bytes.subarray(from));
  }

  /** The open line is whole. */
  end(): void {
    const said = this.#open && readLine(this.#open.toString('utf8'));
    this.#open = Buffer.alloc(0);
    if (said) this.#hear(said);
  }

  #grow(piece: Buffer): void {
    if (!this.#open || piece.length === 0) return;
    const length = this.#open.length + piece.length;
    const grown = length > longestLine ? null : Buffer.concat([this.#open, piece]);
    const begin = grown?.toString('latin1', 0, prefix.length) ?? '';
    this.#open = grown && prefix.startsWith(begin) ? grown : null;
  }
}

/** Null for a line that has none of the forms, or has one of them wrong: it is a line like any other. */
export function readLine(line: string): Said | null {
  if (!line.startsWith(prefix)) return null;
  const [word = '', ...rest] = line.slice(prefix.length).trim().split(/\s+/);
  if (word === 'progress') return readProgress(rest);
  return word === 'metric' ? readMetrics(rest) : null;
}

/** `[fraction] [step=n] [total=n] [eta=seconds] [message]`, at least a fraction or a step. */
function readProgress(words: string[]): Said | null {
  const update: ProgressUpdate = { step: null, total: null };
  let at = 0;
  if (/^(0?\.\d+|[01](\.\d*)?)$/.test(words[0] ?? '')) update.fraction = Number(words[at++]);
  if (update.fraction !== undefined && update.fraction > 1) return null;
  for (; at < words.length; at += 1) {
    const [, name, digits] = /^(step|total|eta)=(\d{1,9})$/.exec(words[at] ?? '') ?? [];
    if (!name) break;
    if (name === 'eta') update.etaSeconds = Number(digits);
    else update[name as 'step' | 'total'] = Number(digits);
  }
  if (update.fraction === undefined && update.step === null) return null;
  const message = words.slice(at).join(' ');
  return { is: 'progress', update: message === '' ? update : { ...update, message } };
}

/** `name=value [name=value …] [step=n]`. */
function readMetrics(words: string[]): Said | null {
  const values: [string, number][] = [];
  let step: number | undefined;
  for (const word of words) {
    const [, name = '', text = ''] = /^([A-Za-z0-9_./-]{1,128})=(\S+)$/.exec(word) ?? [];
    const value = numberOf(text);
    if (name === '' || value === null) return null;
    if (name !== 'step') values.push([name, value]);
    else if (/^\d{1,9}$/.test(text)) step = value;
    else return null;
  }
  if (values.length === 0 || values.length > mostMetrics) return null;
  return { is: 'metrics', values, ...(step === undefined ? {} : { step }) };
}

function numberOf(text: string): number | null {
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null;
}
