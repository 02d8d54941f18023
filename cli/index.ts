import { CommanderError } from 'commander';
import type { Act } from './commands/command.js';
import { makeContext } from './context.js';
import { readEnvironment } from './environment.js';
import { endingOf, exitCodes } from './exit.js';
import { Interrupted, listenForInterrupt } from './interrupt.js';
import { openOutput, tellEnding } from './output.js';
import { buildProgram } from './program.js';

const words = process.argv.slice(2);
const isJson = words.slice(0, words.indexOf('--') >>> 0).includes('--json');
const environment = readEnvironment();
const output = openOutput(environment, isJson);

/** Ends the process when all that was written has gone out. */
function end(code: number): void {
  process.stdout.write('', () => process.exit(code));
}

async function perform(act: Act, given: unknown[]): Promise<void> {
  const context = makeContext(environment, output, listenForInterrupt());
  try {
    end((await act(context, ...(given as never[]))) ?? exitCodes.ok);
  } catch (error) {
    const ending = endingOf(error);
    // What goes on without us was told where it was interrupted.
    if (output.isJson || !(error instanceof Interrupted)) tellEnding(output, ending);
    end(ending.exit);
  } finally {
    context.close();
  }
}

const program = buildProgram(
  (act) =>
    (...given) =>
      perform(act, given),
  (text) => {
    if (!isJson) process.stderr.write(text);
  },
);

try {
  await program.parseAsync(words, { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  const exit = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (isJson && exit !== exitCodes.ok)
    tellEnding(output, {
      exit,
      code: 'USAGE',
      message: error.message.replace(/^error: /, ''),
      fields: [],
      requestId: null,
    });
  end(exit);
}
