import { spawn } from 'node:child_process';
import { clone } from './clone.mjs';
import { PrepareFailure } from './failure.mjs';

/**
 * Runs one program quietly, with one line of progress on stderr ("Installing packages … 34 s"). Its output is
 * shown only when it fails, and then a PrepareFailure is thrown. It holds the clone's lock (`lockFd`) while it runs.
 */
export async function runStep(title, command, args, lockFd) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const draw = (ending) =>
    process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${title} … ${seconds()} s${ending}`);
  const timer = process.stderr.isTTY ? setInterval(() => draw(''), 1000) : undefined;
  if (process.stderr.isTTY) draw('');
  const { failed, output } = await capture(command, args, lockFd);
  clearInterval(timer);
  draw('\n');
  if (failed === undefined) return;
  process.stderr.write(output.endsWith('\n') ? output : `${output}\n`);
  throw new PrepareFailure(`${title} failed (${failed}).`);
}

function capture(command, args, lockFd) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: clone, stdio: ['ignore', 'pipe', 'pipe', lockFd ?? 'ignore'] });
    // A signal for this process alone must not leave the step behind.
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const finish = (result) => {
      for (const signal of signals) process.off(signal, pass);
      done(result);
    };
    let output = '';
    const keep = (chunk) => (output = (output + chunk).slice(-200_000));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.once('error', (error) => finish({ failed: error.message, output }));
    child.once('close', (code, signal) =>
      finish({ failed: code === 0 ? undefined : (signal ?? `code ${code}`), output }),
    );
  });
}
