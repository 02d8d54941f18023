import { cleanText } from '@gjm/core/text/clean.js';
import type { FromRunner, RunnerMetric } from '@gjm/core/wire/ipc.js';
import type { OutputStream } from '../child/spawn.js';
import { LogChunks } from './log-chunks.js';
import { LogLines } from './log-lines.js';
import { RawLog } from './raw-log.js';
import type { NewProgressItem, NewReportItem } from './report-item.js';

/** From one flush to the next, in ms, while output flows. */
const flushMs = 100;
/** The first output after quiet waits this long, in ms, so that what follows at once rides along. */
const lingerMs = 1;
/** Progress and metrics wait a little longer: a small job's end comes within that time, and then takes them along in its finish. */
const quietLingerMs = 15;
const flushBytes = 64 * 1024;
/** At most four progress items a second. */
const progressMs = 250;

type Progress = Extract<FromRunner, { type: 'progress' }>;

/** One stream of an attempt's output: clean lines for watchers, raw bytes for the LOG artifact. */
interface Stream {
  lines: LogLines;
  chunks: LogChunks;
  raw: RawLog;
}

/**
 * Gathers what an attempt says (output, progress, metrics) into report items and hands them on in bundles: the first after quiet nearly at
 * once, then every 100 ms or 64 KiB.
 */
export class Reporter {
  readonly #hand: (items: NewReportItem[]) => void;
  readonly #streams: Record<OutputStream, Stream>;
  readonly #system = new LogChunks('SYSTEM');
  #items: NewReportItem[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFlushAt = -Infinity;
  #dueAt = Infinity;
  #progress: NewProgressItem = {
    type: 'progress',
    fraction: null,
    step: null,
    total: null,
    message: null,
    etaSeconds: null,
  };
  #isProgressHeld = false;
  #lastProgressAt = -Infinity;
  #progressTimer: NodeJS.Timeout | undefined;
  #lastLine: string | null = null;
  #isEnded = false;

  /** `hand` takes the bundles; raw output is kept below `folder`. */
  constructor(folder: string, hand: (items: NewReportItem[]) => void) {
    this.#hand = hand;
    this.#streams = {
      stdout: this.#openStream('STDOUT', `${folder}/stdout.log`),
      stderr: this.#openStream('STDERR', `${folder}/stderr.log`),
    };
  }

  /** The last line that said something, for a sentence about a crash. */
  get lastLine(): string | null {
    return this.#lastLine;
  }

  output(stream: OutputStream, bytes: Buffer): void {
    if (this.#isEnded) return;
    this.#streams[stream].raw.add(bytes);
    this.#streams[stream].lines.push(bytes);
  }

  progress({ fraction, step, total, message, etaSeconds }: Progress): void {
    const text = message === null ? null : cleanText(message, 4_000);
    this.#showProgress({ type: 'progress', fraction, step, total, message: text, etaSeconds });
  }

  metric({ name, step, value, special }: RunnerMetric): void {
    if (this.#isEnded) return;
    this.#items.push({ type: 'metric', name: cleanText(name, 256), step, value, special });
    this.#touch(256, quietLingerMs);
  }

  /** A checkpoint that the server has. False when the items have been taken for good. */
  checkpoint(artifactId: string): boolean {
    if (this.#isEnded) return false;
    this.#items.push({ type: 'checkpoint', artifactId });
    this.#touch(256);
    return true;
  }

  /** A line of the worker's own about this attempt. */
  system(text: string): void {
    const line = `${cleanText(text, 4_000)}\n`;
    this.#system.add(line, Buffer.byteLength(line));
    this.#touch(line.length);
  }

  /** No more output comes: returns what is not handed on yet, the last lines and the last progress included. */
  end(): NewReportItem[] {
    if (this.#isEnded) return [];
    for (const stream of Object.values(this.#streams)) stream.lines.end();
    this.#isEnded = true;
    clearTimeout(this.#progressTimer);
    if (this.#isProgressHeld) this.#items.push(this.#progress);
    return this.#take();
  }

  /**
   * Raw logs that are worth an artifact: those beyond 64 KiB, those whose lines say less than the bytes did, and all of an attempt that
   * went wrong. A small, clean log is whole in the events already.
   */
  rawLogs(wentWrong: boolean): { name: string; path: string; bytes: number }[] {
    return Object.entries(this.#streams).flatMap(([name, { raw, lines }]) => {
      if (!wentWrong && !lines.isLossy && raw.bytes <= flushBytes) return [];
      const saved = raw.save();
      return saved ? [{ name: `${name}.log`, ...saved }] : [];
    });
  }

  close(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#progressTimer);
    for (const stream of Object.values(this.#streams)) stream.raw.close();
  }

  #openStream(name: 'STDOUT' | 'STDERR', rawPath: string): Stream {
    const chunks = new LogChunks(name);
    const lines = new LogLines({
      line: (text, bytes) => {
        chunks.add(text, bytes);
        if (text.length > 1) this.#lastLine = text.trimEnd();
        this.#touch(bytes);
      },
      rewrite: (state) => this.#showProgress({ ...this.#progress, message: cleanText(state, 4_000) }),
    });
    return { lines, chunks, raw: new RawLog(rawPath) };
  }

  #showProgress(progress: NewProgressItem): void {
    if (this.#isEnded) return;
    this.#progress = progress;
    this.#isProgressHeld = true;
    const waitMs = this.#lastProgressAt + progressMs - performance.now();
    if (waitMs <= 0) this.#releaseProgress();
    else this.#progressTimer ??= setTimeout(() => this.#releaseProgress(), waitMs);
  }

  #releaseProgress(): void {
    clearTimeout(this.#progressTimer);
    this.#progressTimer = undefined;
    if (!this.#isProgressHeld) return;
    this.#isProgressHeld = false;
    this.#lastProgressAt = performance.now();
    this.#items.push(this.#progress);
    this.#touch(256, quietLingerMs);
  }

  #touch(bytes: number, waitAtLeastMs = lingerMs): void {
    this.#pendingBytes += bytes;
    if (this.#pendingBytes >= flushBytes) return this.#flush();
    const dueAt = Math.max(performance.now() + waitAtLeastMs, this.#lastFlushAt + flushMs);
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), dueAt - performance.now());
  }

  #flush(): void {
    const items = this.#take();
    if (items.length > 0) this.#hand(items);
  }

  #take(): NewReportItem[] {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    this.#pendingBytes = 0;
    this.#lastFlushAt = performance.now();
    const { stdout, stderr } = this.#streams;
    return [
      ...stdout.chunks.take(),
      ...stderr.chunks.take(),
      ...this.#system.take(),
      ...this.#items.splice(0),
    ];
  }
}
