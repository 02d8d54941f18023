// `npm test`: runs jest as a child with this terminal, and ends as it ends.
import { spawn } from 'node:child_process';
import { clone } from './clone.mjs';

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const settings = ['--config', 'dist/jest.config.js', '--rootDir', '.'];
const child = spawn(process.execPath, [...jest, ...settings, ...process.argv.slice(2)], {
  cwd: clone,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
