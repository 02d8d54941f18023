import { cleanText } from '@gjm/core/text/clean.js';

const keptBytes = 8 * 1024;
const longestLine = 1_000;

/** Remembers the last line that said something in a stream of bytes, for a sentence about how a program ended. */
export class LastLine {
  #tail = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /** Null when nothing was said. */
  get text(): string | null {
    const lines = this.#tail
      .toString('utf8')
      .split(/[\r\n]+/)
      .map((line) => line.trim());
    const last = lines.findLast((line) => line !== '');
    return last === undefined ? null : cleanText(last, longestLine);
  }
}
