/** A worker like any other, with the wide runner in place of its own. Arguments and environment are those of `npm run worker`. */
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@gjm/worker/environment.js';
import { createLogger } from '@gjm/worker/logger.js';
import { Worker } from '@gjm/worker/worker.js';

const answer = readEnvironment(process.argv.slice(2));
if (!answer.ok) throw new Error(answer.problems.join('\n'));
const environment = answer.value;
const worker = new Worker({
  environment,
  log: createLogger(environment.name),
  runnerModule: fileURLToPath(new URL('./wide-runner.js', import.meta.url)),
});
process.once('SIGTERM', () => void worker.close().then(() => process.exit(0)));
await worker.start();
await worker.refused;
