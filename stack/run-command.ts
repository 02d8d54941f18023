import { StackProblem, describeProblem } from './problem.js';

/** How a command learns that the person wants it to end. */
export interface CommandControl {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP: stop in good order. */
  stop: AbortSignal;
  /** Aborted by a second signal, and whenever this process ends: kill what is left, at once. */
  force: AbortSignal;
}

/** One Ctrl-C can arrive twice, from the terminal and from npm: repeats within this time are the same signal. */
const SAME_SIGNAL_MS = 500;

/**
 * Runs a command to its end and exits: 0 when done, 1 with one sentence on stderr for a {@link StackProblem},
 * 1 with the stack for a bug, `interruptedCode` when it was asked to stop.
 */
export async function runCommand(
  command: (control: CommandControl) => Promise<void>,
  interruptedCode: number,
): Promise<never> {
  const stop = new AbortController();
  const force = new AbortController();
  listenForSignals(stop, force);
  process.on('exit', () => force.abort());
  // A reader that went away (`npm run up | head -1`) is no reason to leave children behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    await command({ stop: stop.signal, force: force.signal });
    process.exit(stop.signal.aborted ? interruptedCode : 0);
  } catch (error) {
    if (stop.signal.aborted && error instanceof StackProblem) process.exit(interruptedCode);
    process.stderr.write(`${describeProblem(error)}\n`);
    process.exit(1);
  }
}

/** Settles when the signal is aborted, and keeps this process alive until then. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const anchor = setInterval(() => undefined, 2 ** 30);
    signal.addEventListener('abort', () => done(clearInterval(anchor)), { once: true });
  });
}

function listenForSignals(stop: AbortController, force: AbortController): void {
  let firstAt: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      stop.abort();
    } else if (now - firstAt > SAME_SIGNAL_MS) {
      force.abort();
      process.exit(name === 'SIGINT' ? 130 : 143);
    }
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
}
