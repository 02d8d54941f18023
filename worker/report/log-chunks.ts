import { longestPieceBytes } from './log-lines.js';
import type { NewLogItem } from './report-item.js';

type LogStream = NewLogItem['stream'];

/**
 * Gathers lines of one stream into chunks of whole lines, each at most 64 KiB of UTF-8, and counts their lines from 1 over the whole
 * attempt.
 */
export class LogChunks {
  readonly #stream: LogStream;
  #nextLine = 1;
  #firstLine = 1;
  #texts: string[] = [];
  #bytes = 0;
  #full: NewLogItem[] = [];

  constructor(stream: LogStream) {
    this.#stream = stream;
  }

  /** Adds one line (its newline included) of so many bytes. */
  add(line: string, bytes: number): void {
    if (this.#bytes + bytes > longestPieceBytes) this.#close();
    if (this.#texts.length === 0) this.#firstLine = this.#nextLine;
    this.#texts.push(line);
    this.#bytes += bytes;
    this.#nextLine += 1;
  }

  /** All chunks gathered since the last call, in order. */
  take(): NewLogItem[] {
    this.#close();
    return this.#full.splice(0);
  }

  #close(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join('');
    this.#full.push({ type: 'log', stream: this.#stream, text, firstLine: this.#firstLine });
    this.#texts = [];
    this.#bytes = 0;
  }
}
