import { createInterface } from 'node:readline/promises';
import { usageError } from '../exit.js';
import { Interrupted } from '../interrupt.js';

/** Asks on stderr, so that stdout stays data; the answer is seen as it is typed. */
export async function ask(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // readline takes Ctrl-C for itself while it reads.
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort());
  try {
    return (await lines.question(question, { signal: AbortSignal.any([signal, stop.signal]) })).trim();
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted() : error;
  } finally {
    lines.close();
  }
}

/** What typed or pasted characters make of a secret so far: `done` after Enter. */
export function takeKeys(typed: string, keys: string): { typed: string; done: boolean; stopped: boolean } {
  let text = typed;
  for (const key of keys) {
    if (key === '\r' || key === '\n' || key === '\u0004') return { typed: text, done: true, stopped: false };
    if (key === '\u0003') return { typed: text, done: false, stopped: true };
    if (key === '\u007f' || key === '\b') text = [...text].slice(0, -1).join('');
    else if (key === '\u0015') text = '';
    else if (key >= ' ') text += key;
  }
  return { typed: text, done: false, stopped: false };
}

/** Asks for a secret without showing what is typed. Only on a terminal. */
export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // Before the question: who answers at once must not see it on the screen.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      let secret = '';
      const listen = (keys: string): void => {
        const { typed, done, stopped } = takeKeys(secret, keys);
        secret = typed;
        if (!done && !stopped) return;
        stdin.off('data', listen);
        if (done) resolve(secret);
        else reject(new Interrupted());
      };
      stdin.on('data', listen);
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** Asks for a new secret, twice: what nobody saw may be mistyped. */
export async function askNewSecret(question: string): Promise<string> {
  const secret = await askSecret(question);
  if ((await askSecret('Once more: ')) !== secret) throw usageError('The two are not the same.');
  return secret;
}

/** The first line of stdin, for scripts. */
export async function readSecret(): Promise<string> {
  const [line = ''] = await readSecrets(1);
  return line;
}

/** The first lines of stdin, one for each secret. */
export async function readSecrets(count: number): Promise<string[]> {
  let text = '';
  for await (const piece of process.stdin) {
    text += String(piece);
    if (text.split('\n').length > count) break;
  }
  const lines = text.split(/\r?\n/).slice(0, count);
  if (lines.length < count || lines.includes(''))
    throw usageError(
      count === 1 ? 'There was no password on stdin.' : `There were not ${count} passwords on stdin.`,
    );
  return lines;
}
