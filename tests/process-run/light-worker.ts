/**
 * A worker like any other, whose warm children load no engine: each program ends one and is followed by a new one, which would take most of
 * the time of these tests. Arguments and environment are those of `npm run worker`.
 */
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@gjm/worker/environment.js';
import { createLogger } from '@gjm/worker/logger.js';
import { Worker } from '@gjm/worker/worker.js';

const answer = readEnvironment(process.argv.slice(2));
if (!answer.ok) throw new Error(answer.problems.join('\n'));
const worker = new Worker({
  environment: answer.value,
  log: createLogger(answer.value.name),
  runnerModule: fileURLToPath(new URL('./light-runner.js', import.meta.url)),
});
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
await worker.start();
await worker.refused;
