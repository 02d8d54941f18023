import { aborted, runCommand } from './run-command.js';
import { startStack } from './stack.js';

/**
 * `npm run up`: keeps the stack of the data folder running until a signal. Prints one line `ready <url>` and one
 * with a sign-in link, which signs in once and within 10 minutes.
 */
await runCommand(async ({ stop, force }) => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const stack = await startStack({ keepAlive: true, signal: stop, force, say });
  process.stdout.write(`ready ${stack.url}\n`);
  process.stdout.write(`sign in (once, within 10 minutes): ${stack.url}/#sign-in=${stack.signInToken}\n`);
  await aborted(stop);
  await stack.close();
}, 0);
