/** Longest piece of a line in bytes of UTF-8, its newline included. */
export const longestPieceBytes = 65_536;

/** Where the pieces of one stream go. */
export interface LineListener {
  /** One line, or one piece of a line that was too long; ends in a newline, except for the very last of a stream that had none. */
  line(text: string, bytes: number): void;
  /** A state of a line that carriage returns rewrite: each one, and last, right before the line itself, the one that stays. */
  rewrite(state: string): void;
}

const encoder = new TextEncoder();

/**
 * Turns the raw bytes of one stream into clean whole lines: decodes UTF-8 across reads, shows bad bytes and NUL as U+FFFD, folds carriage
 * returns into the last state of their line, and cuts giant lines. Memory is bounded by one piece.
 */
export class LogLines {
  readonly #listener: LineListener;
  #decoder = makeDecoder();
  /** The open line, in parts: joining once per line keeps a line of many small reads linear. */
  #parts: string[] = [];
  #openBytes = 0;
  /** A carriage return came, and nothing since: a newline would make it a plain line end, text replaces the line. */
  #sawReturn = false;
  /** The open line replaced an earlier state of itself. */
  #isRewritten = false;
  #isLossy = false;

  constructor(listener: LineListener) {
    this.#listener = listener;
  }

  /** True once the lines say less than the bytes did: replaced bytes, rewritten or cut lines. */
  get isLossy(): boolean {
    return this.#isLossy;
  }

  push(bytes: Uint8Array): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The stream is at its end: what is open becomes its last line. Bytes pushed later start afresh. */
  end(): void {
    this.#take(this.#decoder.decode());
    this.#decoder = makeDecoder();
    this.#sawReturn = false;
    if (this.#openBytes > 0) this.#endLine('');
  }

  #take(decoded: string): void {
    if (decoded.includes('\uFFFD')) this.#isLossy = true;
    let text = decoded;
    if (decoded.includes('\0')) {
      this.#isLossy = true;
      text = decoded.replaceAll('\0', '\uFFFD');
    }
    let from = 0;
    const breaks = /[\r\n]/g;
    for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
      this.#append(text.slice(from, found.index));
      from = found.index + 1;
      if (found[0] === '\r') this.#sawReturn = true;
      else {
        this.#sawReturn = false;
        this.#endLine('\n');
      }
    }
    this.#append(text.slice(from));
  }

  #append(text: string): void {
    if (text === '') return;
    if (this.#sawReturn) this.#startOver();
    let rest = text;
    for (;;) {
      const bytes = Buffer.byteLength(rest);
      const room = longestPieceBytes - 1 - this.#openBytes;
      if (bytes <= room) {
        this.#parts.push(rest);
        this.#openBytes += bytes;
        return;
      }
      this.#isLossy = true;
      // encodeInto stops at a whole code point and says how far it got.
      const { read, written } = encoder.encodeInto(rest, new Uint8Array(room));
      this.#parts.push(rest.slice(0, read));
      this.#openBytes += written;
      this.#emit('\n');
      rest = rest.slice(read);
    }
  }

  #startOver(): void {
    this.#sawReturn = false;
    if (this.#openBytes === 0) return;
    this.#isLossy = true;
    this.#isRewritten = true;
    this.#listener.rewrite(this.#parts.join(''));
    this.#parts = [];
    this.#openBytes = 0;
  }

  #endLine(ending: string): void {
    if (this.#isRewritten && this.#openBytes > 0) this.#listener.rewrite(this.#parts.join(''));
    this.#isRewritten = false;
    this.#emit(ending);
  }

  #emit(ending: string): void {
    const text = this.#parts.join('') + ending;
    const bytes = this.#openBytes + ending.length;
    this.#parts = [];
    this.#openBytes = 0;
    this.#listener.line(text, bytes);
  }
}

/** A byte order mark is the program's own byte: it stays. */
const makeDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
