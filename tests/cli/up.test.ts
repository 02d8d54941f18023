import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { cloneRoot } from '@gjm/stack/clone.js';
import { readStackFile } from '@gjm/stack/stack-file.js';
import { until } from '../support/until.js';

/** A database of its own is made first. */
const startMs = 30_000;

test('up says when all is ready, and one Ctrl-C ends all of it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gjm-up-'));
  const child = spawn(process.execPath, [join(cloneRoot, 'cli', 'bin', 'gjm.mjs'), 'up'], {
    cwd: tmpdir(),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir(), GJM_DATA_DIR: dataDir, GJM_PORT: '0' },
  });
  let output = '';
  let postgres: string | null | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  try {
    const [, url] = await until('it is ready', () => /^ready (http:\S+)$/m.exec(output), startMs);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    postgres = (await readStackFile(dataDir))?.folders.postgres;
    expect(output).toMatch(/#sign-in=\S+/);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
  } finally {
    child.kill('SIGKILL');
    // Where it runs as root, Postgres' data lies elsewhere.
    for (const path of [dataDir, postgres]) if (path) await rm(path, { recursive: true, force: true });
  }
}, 60_000);
