import { visibleText } from '@gjm/core/text/visible-text.js';

/** The last lines of a log, whole. */
export class LogTail {
  #lines: string[] = [];
  #isOpen = false;

  /** @param limit how many lines are kept */
  constructor(private readonly limit: number) {}

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Takes a chunk; only the last line of a stream may lack its end, and goes on in the next chunk. */
  add(text: string): void {
    const parts = visibleText(text).replaceAll('\t', '    ').split('\n');
    const isEnded = parts.at(-1) === '';
    if (isEnded) parts.pop();
    if (this.#isOpen && parts.length > 0)
      this.#lines.push(`${this.#lines.pop() ?? ''}${parts.shift() ?? ''}`);
    this.#lines.push(...parts.slice(-this.limit));
    this.#lines = this.#lines.slice(-this.limit);
    this.#isOpen = !isEnded;
  }
}
