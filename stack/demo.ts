import { join } from 'node:path';
import { ApiError, ClosedError, ProblemError, TransferError, UnreachableError } from '@gjm/client/node.js';
import { createClient, unwrap } from '@gjm/client/node.js';
import { type DemoResult, enlargePicture } from './demo-job.js';
import { choosePicture } from './demo-picture.js';
import { readEnvironment } from './environment.js';
import { StackProblem } from './problem.js';
import { type CommandControl, runCommand } from './run-command.js';
import { makeSignInTokenFor } from './sign-in-link.js';
import { startStack } from './stack.js';
import { readStackFile } from './stack-file.js';

/** Exit code after Ctrl-C: the picture was not made. */
const INTERRUPTED = 130;

/** `npm run demo [-- picture]`: enlarges a picture on this box from nothing, shows it live, and stops what it started. */
await runCommand(async (control) => {
  const environment = readEnvironment();
  const [given, ...more] = process.argv.slice(2);
  if (more.length > 0) throw new StackProblem('One picture at a time: npm run demo -- picture.png');
  const picture = choosePicture(given, environment.startedIn);
  const { url, signInToken, close } = await openStack(control);
  const client = createClient({ url });
  try {
    unwrap(await client.redeemSignInLink(signInToken));
    process.stdout.write(`Enlarging ${picture}\n`);
    describeResult(await enlargePicture(client, picture, join(environment.dataDir, 'results'), control.stop));
  } catch (error) {
    throw control.stop.aborted ? new StackProblem('The demo was stopped.') : describeRefusal(error);
  } finally {
    client.close();
    await close();
  }
}, INTERRUPTED);

/** The stack that runs on the data folder already, else one of our own on a free port. */
async function openStack({ stop, force }: CommandControl) {
  const environment = readEnvironment();
  const running = await readStackFile(environment.dataDir);
  if (running !== undefined) {
    const signInToken = await makeSignInTokenFor(running, environment, stop);
    return { url: running.url, signInToken, close: () => Promise.resolve() };
  }
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say('Starting Postgres, Redis, the server and a worker …');
  const port = environment.inherited.GJM_PORT ? environment.port : 0;
  const stack = await startStack({ port, signal: stop, force, say });
  return { url: stack.url, signInToken: stack.signInToken, close: () => stack.close() };
}

function describeResult({ path, width, height, elapsedMs, engine }: DemoResult): void {
  const seconds = (elapsedMs / 1000).toFixed(1);
  process.stdout.write(
    `Done in ${seconds} s${engine ? ` on ${engine}` : ''}: ${width} × ${height} pixels\n${path}\n`,
  );
}

/** Refusals and faults of the API as the one sentence of this command; a bug stays what it is. */
function describeRefusal(error: unknown): unknown {
  if (error instanceof ProblemError) {
    const fields = error.fields.filter((field) => !error.message.includes(field.message));
    const words = fields.map((field) => `${field.path.join('.')}: ${field.message}`);
    return new StackProblem([error.message, ...words].join(' '), { cause: error });
  }
  const known = [ApiError, ClosedError, TransferError, UnreachableError].some(
    (type) => error instanceof type,
  );
  return known ? new StackProblem((error as Error).message, { cause: error }) : error;
}
