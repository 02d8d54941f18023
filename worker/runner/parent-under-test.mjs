/* A supervisor to be killed: starts a runner, gives it the attempt from its argument, and tells its own parent when that is under way. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const attempt = JSON.parse(process.argv[2]);
const runner = fork(fileURLToPath(new URL('../dist/child/runner.js', import.meta.url)), [], {
  stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  detached: true,
  env: { GJM_RUNNER_ENGINES: 'wasm', GJM_RUNNER_DEVICE_UID: 'cpu:0', GJM_RUNNER_DEVICE_KIND: 'CPU' },
});
const tell = () => process.send({ pid: runner.pid });
runner.on('message', ({ type }) => {
  if (type !== 'ready') return;
  if (attempt === null) tell();
  else runner.send(attempt);
});
runner.stdout.once('data', tell);
