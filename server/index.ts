import 'reflect-metadata';
import { startServer, type RunningServer } from './app.js';
import { StoreProblem } from './artifacts/store-problem.js';
import { EnvironmentError, readEnvironment } from './environment.js';
import { ListenProblem } from './listen.js';
import { DatabaseProblem } from './persistence/migrate.js';

/** One Ctrl-C can arrive twice, from the terminal and from a parent: within this time it is the same signal. */
const sameSignalMs = 500;
/** A stop that takes longer is cut, with exit code 1. */
const stopMs = 12_000;

process.title = 'gjm-server';

/** Problems a person can solve, in a sentence; all else with its stack. */
function die(error: unknown): never {
  const isPlain = [EnvironmentError, ListenProblem, StoreProblem, DatabaseProblem].some(
    (type) => error instanceof type,
  );
  process.stderr.write(
    `${isPlain ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}

function stopOnSignal(running: Promise<RunningServer>): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > sameSignalMs) process.exit(1);
      return;
    }
    firstAt = Date.now();
    setTimeout(() => process.exit(1), stopMs).unref();
    running.then((server) => server.close()).then(() => process.exit(0), die);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

// After either the process is in no known state: leases and compare-and-set make another server's work safe, so that it just ends.
process.on('uncaughtException', die);
process.on('unhandledRejection', die);

try {
  const running = startServer(readEnvironment());
  stopOnSignal(running);
  running.catch(die);
} catch (error) {
  die(error);
}
