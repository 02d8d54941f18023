import { readDataDir } from './environment.js';
import { showsSign, signs, type Sign } from './instance/sign-of-life.js';

// For health checks of containers: node worker/dist/check.js alive|answered. It reads GJM_DATA_DIR as the worker does. Exit codes: 0 the worker
// shows the sign, 1 it does not, 2 called wrongly.
const [sign = '', ...more] = process.argv.slice(2);
const folder = readDataDir();
if (!signs.includes(sign as Sign) || more.length > 0) {
  console.error(`Usage: node worker/dist/check.js ${signs.join('|')}`);
  process.exitCode = 2;
} else if (!showsSign(folder, sign as Sign)) {
  console.error(
    sign === 'alive'
      ? `No worker of ${folder} lives.`
      : `No server has answered the worker of ${folder} lately.`,
  );
  process.exitCode = 1;
}
