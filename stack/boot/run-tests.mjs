// `npm test`: sets up optional models, Dawn and software adapters, runs jest as a child with this terminal, and ends as it ends.
import { spawn } from 'node:child_process';
import { clone } from './clone.mjs';

const { areModelsSetUp, setUpModels } = await import('../../worker/dist/setup/model-packages.js');
if (!areModelsSetUp()) {
  process.stderr.write('Setting up the optional models …\n');
  // Tests that need them say that they are left out.
  await setUpModels().catch((error) => process.stderr.write(`They could not be set up: ${error.message}\n`));
}

const { setUpWebgpu } = await import('../../tests/dist/webgpu/set-up.js');
await setUpWebgpu();

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const settings = ['--config', 'dist/jest.config.js', '--rootDir', '.'];
const child = spawn(process.execPath, [...jest, ...settings, ...process.argv.slice(2)], {
  cwd: clone,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
