import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { freshEmail, viewerOf } from '../support/sign-in.js';

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one of `scripts/` with nothing of our own environment. */
function runScript(name: string, args: string[], env: Record<string, string>): Promise<Run> {
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  return new Promise((resolve) => {
    const options = { env: { PATH: path, HOME: '/root', ...env }, cwd: tmpdir(), timeout: 60_000 };
    execFile(join(cloneRoot, 'scripts', name), args, options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

const password = `it's "quite" $safe\\`;

async function signIn(email = freshEmail()): Promise<Record<string, string>> {
  const { url } = sharedStack();
  const { code, stdout, stderr } = await runScript('login.sh', [email], {
    GJM_URL: url,
    GJM_PASSWORD: password,
  });
  if (code !== 0) throw new Error(stderr);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => /^export (\w+)=(.*)$/.exec(line)?.slice(1) ?? []),
  ) as Record<string, string>;
}

describe('login.sh', () => {
  test('registers, and signs in the next time', async () => {
    const email = freshEmail();
    const [first, second] = [await signIn(email), await signIn(email)];
    const [one, two] = [first, second].map((env) => viewerOf(env['GJM_URL'] ?? '', env['GJM_TOKEN'] ?? ''));
    expect(await one).not.toBeNull();
    expect(await two).toEqual(await one);
  });

  test('says what is wrong, and prints nothing to evaluate', async () => {
    const email = freshEmail();
    await signIn(email);
    const wrong = await runScript('login.sh', [email], {
      GJM_URL: sharedStack().url,
      GJM_PASSWORD: 'not this one',
    });
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toMatch(/^Not signed in at http:\S+: \S/);
    const away = await runScript('login.sh', [email], { GJM_URL: 'http://127.0.0.1:9', GJM_PASSWORD: 'x' });
    expect([away.code === 0, away.stdout]).toEqual([false, '']);
  });
});

describe('smoke_test.sh', () => {
  test('passes every check on a stack that is well', async () => {
    const { code, stdout, stderr } = await runScript('smoke_test.sh', [], await signIn());
    expect(stderr).toBe('');
    expect(stdout.split('\n').filter((line) => line && !line.startsWith('PASS '))).toEqual([]);
    expect(stdout.match(/^PASS /gm)?.length).toBeGreaterThanOrEqual(16);
    expect(code).toBe(0);
  });

  test('fails with a token that is not good', async () => {
    const env = { GJM_URL: sharedStack().url, GJM_TOKEN: 'nonsense' };
    const { code, stdout } = await runScript('smoke_test.sh', [], env);
    expect([code, stdout.startsWith('FAIL submit')]).toEqual([1, true]);
  });
});

// What it starts is in one-stack.test.ts.
describe('resume.sh', () => {
  test('says why a part does not start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gjm-resume-'));
    const env = { GJM_DATA_DIR: folder, GJM_SERVER: 'http://127.0.0.1:9' };
    const bad = await runScript('resume.sh', ['worker'], env);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('No worker token is given');
    expect((await runScript('resume.sh', ['everything'], env)).code).toBe(2);
    await rm(folder, { recursive: true });
  }, 60_000);
});
