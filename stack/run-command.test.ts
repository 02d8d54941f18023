import { spawn } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { until } from './until.js';

type Act = (
  kill: (signal: NodeJS.Signals) => void,
  heard: (word: string) => Promise<unknown>,
) => Promise<void> | void;

/** Runs a command in a process of its own, sends it signals as told, and gives how it ended and what it said. */
async function runWith(body: string, act: Act) {
  const script = `import { runCommand, aborted } from '${new URL('dist/run-command.js', import.meta.url).href}';
    import { StackProblem } from '${new URL('dist/problem.js', import.meta.url).href}';
    await runCommand(async ({ stop, force }) => { ${body} }, 0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const said = { out: '', err: '' };
  child.stderr.on('data', (chunk: Buffer) => (said.err += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  await new Promise<void>((done) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += String(chunk);
      done();
    });
    child.once('close', () => done());
  });
  const heard = (word: string) => until(() => said.out.includes(word), { limitMs: 20_000, what: word });
  await act((signal) => void child.kill(signal), heard);
  return { code: await ended, ...said };
}

/** Never ends by itself; says when repeats no longer count as the same signal. */
const ENDLESS = `force.addEventListener('abort', () => console.log('forced'));
  stop.addEventListener('abort', () => setTimeout(() => console.log('stopping'), 600));
  console.log('on');
  await new Promise((done) => setTimeout(done, 60_000));`;

test('a signal that arrives twice at once stops in good order', async () => {
  const { code, err } = await runWith(
    `console.log('on'); await aborted(stop); await new Promise((r) => setTimeout(r, 50))`,
    (kill) => {
      kill('SIGINT');
      kill('SIGTERM');
    },
  );
  expect([code, err]).toEqual([0, '']);
});

test('a second signal forces the exit', async () => {
  const { code, out } = await runWith(ENDLESS, async (kill, heard) => {
    kill('SIGTERM');
    await heard('stopping');
    kill('SIGTERM');
  });
  expect(code).toBe(143);
  expect(out).toContain('forced');
});

test('a problem is one sentence and exit 1; a bug keeps its stack', async () => {
  const problem = await runWith(`throw new StackProblem('Port 4000 is in use.')`, () => undefined);
  expect([problem.code, problem.err]).toEqual([1, 'Port 4000 is in use.\n']);
  const bug = await runWith(`throw new TypeError('oops')`, () => undefined);
  expect(bug.code).toBe(1);
  expect(bug.err).toMatch(/TypeError: oops\n\s+at /);
});
