import type { JobEvent } from '@gjm/client/index.js';

type LogEvent = Extract<JobEvent, { __typename: 'JobLogEvent' }>;

/** One line as it was logged. `number` counts per attempt and stream, as the server counts. */
export interface LogLine {
  key: string;
  number: number;
  attempt: number | null;
  stream: LogEvent['stream'];
  at: string;
  text: string;
}

/** Whole lines of one event, split only when they are looked at. */
interface Chunk {
  event: LogEvent;
  count: number;
}

/** Characters held at most; the oldest chunks make room. The log artifact of each attempt has everything. */
const heldChars = 64_000_000;
/** Chunks kept split: those around what is seen. */
const splitChunks = 32;

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

/**
 * The log of a job: chunks in the order of their numbers, added at either end (live events and pages of the past), each once. Hundreds of
 * thousands of lines cost little more than their text, since only those that are seen become lines.
 */
export class LogBook {
  #chunks: Chunk[] = [];
  /** Index of each chunk's first line, and the total behind them. */
  #starts: number[] = [0];
  #chars = 0;
  #dropped = 0;
  readonly #split = new Map<number, string[]>();

  constructor(private readonly limit = heldChars) {}

  /** Lines held. */
  get total(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** Lines that had to make room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns how many lines came before those that were held: what is on screen moves down by so many. */
  add(events: readonly JobEvent[]): number {
    const first = this.#chunks[0]?.event.sequence ?? -Infinity;
    const known = new Set(this.#chunks.map(({ event }) => event.sequence));
    const fresh = events
      .filter((event): event is LogEvent => event.__typename === 'JobLogEvent' && !known.has(event.sequence))
      .map((event) => ({ event, count: countLines(event.text) }));
    if (fresh.length === 0) return 0;
    const before = fresh.filter(({ event }) => event.sequence < first);
    this.#chunks = [...before, ...this.#chunks, ...fresh.filter((chunk) => !before.includes(chunk))];
    this.#chars += fresh.reduce((sum, { event }) => sum + event.text.length, 0);
    const lines = before.reduce((sum, { count }) => sum + count, 0);
    return lines - this.#makeRoom();
  }

  /** Null outside of what is held. */
  lineAt(index: number): LogLine | null {
    const place = this.#chunkAt(index);
    const chunk = this.#chunks[place];
    if (!chunk) return null;
    const inside = index - (this.#starts[place] ?? 0);
    const { sequence, attempt, stream, at, firstLine } = chunk.event;
    const text = this.#linesOf(chunk)[inside] ?? '';
    return { key: `${sequence}.${inside}`, number: firstLine + inside, attempt, stream, at, text };
  }

  /** Indexes of lines that contain the words, whatever their case, chunk by chunk: the caller decides when to rest. */
  *find(words: string): Generator<number[], void> {
    const wanted = words.toLowerCase();
    for (const [place, { event }] of this.#chunks.entries()) {
      if (!event.text.toLowerCase().includes(wanted)) continue;
      const start = this.#starts[place] ?? 0;
      yield event.text
        .split('\n')
        .flatMap((line, inside) => (line.toLowerCase().includes(wanted) ? [start + inside] : []));
    }
  }

  /** Drops the oldest chunks over the limit and counts anew; returns the lines dropped. */
  #makeRoom(): number {
    let drop = 0;
    let lines = 0;
    while (this.#chars > this.limit && drop < this.#chunks.length - 1) {
      const { event, count } = this.#chunks[drop]!;
      this.#chars -= event.text.length;
      lines += count;
      drop += 1;
    }
    if (drop > 0) this.#chunks = this.#chunks.slice(drop);
    this.#dropped += lines;
    this.#starts = [0];
    let sum = 0;
    for (const { count } of this.#chunks) this.#starts.push((sum += count));
    return lines;
  }

  /** The chunk that holds a line, by bisection. */
  #chunkAt(index: number): number {
    if (index < 0 || index >= this.total) return -1;
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #linesOf({ event }: Chunk): string[] {
    const known = this.#split.get(event.sequence);
    if (known) return known;
    const lines = event.text.split('\n');
    this.#split.set(event.sequence, lines);
    for (const oldest of this.#split.keys()) {
      if (this.#split.size <= splitChunks) break;
      this.#split.delete(oldest);
    }
    return lines;
  }
}
