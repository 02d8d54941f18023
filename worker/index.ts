import { exit } from 'node:process';
import { readEnvironment, usage, type Environment } from './environment.js';
import { createLogger, type Logger } from './logger.js';
import { Worker, WorkerRefused } from './worker.js';

/** A repeat within this time is the same signal: one Ctrl-C may arrive twice, from the terminal and from npm. */
const sameSignalMs = 500;

process.title = 'gjm-worker';
await main();

async function main(): Promise<void> {
  const answer = readEnvironment(process.argv.slice(2));
  if (!answer.ok) {
    process.stderr.write(`${answer.problems.join('\n')}\n${usage}\n`);
    exit(1);
  }
  const log = createLogger(answer.value.name);
  try {
    await run(answer.value, log);
  } catch (error) {
    if (error instanceof WorkerRefused) log.fatal(error.message);
    else log.fatal({ err: error }, 'the worker could not start');
    exit(1);
  }
}

async function run(environment: Environment, log: Logger): Promise<void> {
  const worker = new Worker({ environment, log });
  const stop = async (code: number) => {
    setTimeout(() => endNow(worker, log), worker.closeLimitMs).unref();
    const how = await worker.close();
    log.info({ how }, 'worker stopped');
    exit(how === 'clean' ? code : 1);
  };
  listenForSignals((isFirst) => {
    if (!isFirst) return endNow(worker, log);
    log.info('stopping');
    void stop(0);
  });
  // A bug: nothing goes on after it. Children are ended first, so that no device is left busy.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      worker.killAll();
      exit(1);
    });
  try {
    await worker.start();
  } catch (error) {
    await worker.close();
    throw error;
  }
  const reason = await worker.refused;
  log.fatal(reason);
  await stop(1);
}

function listenForSignals(act: (isFirst: boolean) => void): void {
  let firstAt: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (firstAt !== null && now - firstAt < sameSignalMs) return;
      act(firstAt === null);
      firstAt ??= now;
    });
}

function endNow(worker: Worker, log: Logger): never {
  log.warn('stopped by force');
  worker.killAll();
  exit(1);
}
