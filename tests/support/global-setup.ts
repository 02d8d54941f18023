import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { leaveGpusAlone, shareStack } from './environment.js';
import { fastTiming } from './timing.js';
import { newUser } from './user.js';

let stack: Stack | undefined;

/** One warm stack for all test files that do not break it: real Postgres, Redis, server and worker processes. */
export default async function setUp(): Promise<void> {
  leaveGpusAlone();
  stack = await startStack({
    dataDir: join(tmpdir(), `gjm-test-${process.pid}`),
    port: 0,
    cpuSlots: 3,
    diagnosticJobs: true,
    disposable: true,
    env: fastTiming,
  });
  endWithSignals();
  // The first account is an ADMIN, who sees everything: tests are about the others.
  await newUser(stack.url).then((admin) => admin.close());
  const { url, databaseUrl, redisUrl, dataDir } = stack;
  shareStack({ url, databaseUrl, redisUrl, dataDir });
  globalThis.stopSharedStack = () => stack?.close() ?? Promise.resolve();
}

/** Whoever breaks the tests off is left with no processes. */
function endWithSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stack?.close().finally(() => process.exit(1)));
}

declare global {
  var stopSharedStack: (() => Promise<void>) | undefined;
}
