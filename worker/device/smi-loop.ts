import { defer, pause, within, type Deferred } from '../wait.js';
import { noAnswer, type NvidiaSmi, type SmiAnswer, type SmiRun } from './nvidia-smi.js';

/** After a line that ended no round by its place, a round is over when nothing more came for so long, in ms. */
const roundGapMs = 100;
/** A killed loop that is still there after this, in ms, hangs in its driver. */
const killMs = 500;

export interface SmiLoopOptions {
  smi: NvidiaSmi;
  /** The query; the loop's own option is added. */
  args: readonly string[];
  everyMs: number;
  /** A loop that says nothing for so long hangs, in ms; its first word may take twice as long, since the driver starts with it. */
  silenceMs: number;
}

/**
 * One `nvidia-smi` that repeats its answer: a new process for each would cost some hundred times as much. Whoever asks gets the next
 * round, or why there is none; then the process is ended, and made anew with the next question.
 */
export class SmiLoop {
  readonly #options: SmiLoopOptions;
  #run: SmiRun | null = null;
  #round: string[] = [];
  #roundBeganAt = 0;
  #gap: NodeJS.Timeout | undefined;
  #next: Deferred<SmiAnswer> | null = null;
  #isNew = true;
  #isMute = true;
  #stuck: SmiRun | null = null;

  constructor(options: SmiLoopOptions) {
    this.#options = options;
  }

  /** No process of this loop has ever said anything: then it may be one that keeps its lines back until it ends. */
  get isMute(): boolean {
    return this.#isMute;
  }

  /** When the first line of the last round came, on the process' own monotonic clock. */
  get roundBeganAt(): number {
    return this.#roundBeganAt;
  }

  /** The next whole round. Never rejects, and has its limit. */
  async next(): Promise<SmiAnswer> {
    if (this.#stuck) {
      await pause(this.#options.everyMs);
      return noAnswer('an earlier nvidia-smi hangs and can not be ended');
    }
    this.#run ??= this.#start();
    const next = defer<SmiAnswer>();
    this.#next = next;
    const { silenceMs } = this.#options;
    const limitMs = this.#isNew ? 2 * silenceMs : silenceMs;
    const silent = noAnswer(`nvidia-smi was silent for ${limitMs / 1_000} s`);
    const answer = await within(next.promise, limitMs, silent);
    this.#next = null;
    if (answer.problem !== null) await this.stop();
    return answer;
  }

  /** Ends the process; the next question makes another one. */
  async stop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    clearTimeout(this.#gap);
    this.#round = [];
    this.#next?.resolve(noAnswer('nvidia-smi was stopped'));
    if (!run) return;
    run.kill();
    if (await within(run.ended, killMs, null)) return;
    this.#stuck = run;
    void run.ended.then(() => {
      this.#stuck = null;
    });
  }

  #start(): SmiRun {
    const { smi, args, everyMs } = this.#options;
    this.#isNew = true;
    const run = smi.run([...args, `--loop-ms=${everyMs}`], (line) => {
      if (this.#run === run) this.#hear(line);
    });
    void run.ended.then(({ problem, isAbsent }) => {
      if (this.#run !== run) return;
      const answer = { lines: this.#round, problem: problem ?? 'nvidia-smi ended', isAbsent };
      this.#next?.resolve(answer);
      this.#run = null;
    });
    return run;
  }

  #hear(line: string): void {
    if (this.#round.length === 0) this.#roundBeganAt = performance.now();
    this.#round.push(line);
    clearTimeout(this.#gap);
    this.#gap = setTimeout(() => this.#endRound(), Math.min(roundGapMs, this.#options.everyMs / 2));
  }

  #endRound(): void {
    const lines = this.#round;
    this.#round = [];
    this.#isNew = false;
    this.#isMute = false;
    this.#next?.resolve({ lines, problem: null, isAbsent: false });
  }
}
