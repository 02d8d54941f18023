import { CommandError, exitCodes } from './exit.js';

/** The reason of {@link Interrupt.signal}: the person does not want to wait any longer. */
export class Interrupted extends CommandError {
  constructor() {
    super(exitCodes.interrupted, 'INTERRUPTED', 'Interrupted.');
  }
}

/** One Ctrl-C can arrive twice, from the terminal and from npx: repeats within this time, in ms, are the same one. */
const sameMs = 500;
/** How long a command may take to let go, in ms, before the process ends without it. */
const graceMs = 1_000;

const numberOf = { SIGHUP: 1, SIGTERM: 15 } as const;

/**
 * The first Ctrl-C aborts the signal this returns: the command lets go and says what goes on without it. A second one, and any other
 * signal to end, ends the process at once; what an `exit` listener restores (the screen) is restored then too.
 */
export function listenForInterrupt(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  process.on('SIGINT', () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      controller.abort(new Interrupted());
      setTimeout(() => process.exit(exitCodes.interrupted), graceMs).unref();
    } else if (now - firstAt > sameMs) process.exit(exitCodes.interrupted);
  });
  for (const name of ['SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => process.exit(128 + numberOf[name]));
  return controller.signal;
}
