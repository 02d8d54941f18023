import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createClient, unwrap } from '@gjm/client/node.js';
import { runProgram } from '@gjm/stack/run-program.js';
import { readStackFile } from '@gjm/stack/stack-file.js';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { fastTiming } from '../support/timing.js';

const person = { email: 'keeper@example.com', password: 'correct horse battery' };

/** The drill of docs/operations.md for one machine: stop, copy, lose everything, put it back, start. */
test('everything is there after a restore: account, job, events and bytes', async () => {
  const place = await mkdtemp(join(tmpdir(), 'gjm-backup-'));
  const dataDir = join(place, 'data');
  const open = () => startStack({ dataDir, port: 0, diagnosticJobs: true, env: fastTiming });
  let stack: Stack | undefined;
  let postgres = '';
  try {
    stack = await open();
    postgres = (await readStackFile(dataDir))?.folders.postgres ?? '';
    const before = createClient({ url: stack.url });
    unwrap(await before.register({ ...person, name: 'Keeper' }));
    const id = await submitDiagnostic(before, { logLines: 5, artifactBytes: 100_000 });
    const events = await watchToEnd(before, id);
    const [artifact] = (await before.job(id))?.artifacts ?? [];
    before.close();
    await stack.close();

    const isApart = !postgres.startsWith(dataDir); // as root, Postgres' folder lies elsewhere
    const copies = [[dataDir, join(place, 'copy-data')]];
    if (isApart) copies.push([postgres, join(place, 'copy-postgres')]);
    // `cp -a` keeps owners, which Postgres insists on.
    for (const [from = '', to = ''] of copies) await runProgram('cp', ['-a', from, to], { limitMs: 30_000 });
    for (const [from = ''] of copies) await rm(from, { recursive: true });
    for (const [from = '', to = ''] of copies) await runProgram('mv', [to, from], { limitMs: 30_000 });

    stack = await open();
    const after = createClient({ url: stack.url });
    unwrap(await after.login(person));
    expect((await after.job(id))?.status).toBe('SUCCEEDED');
    expect(await watchToEnd(after, id)).toEqual(events);
    const file = join(place, 'output.bin');
    if (!artifact) throw new Error('The job made no artifact.');
    await after.downloadArtifact(artifact, file);
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(artifact.sha256);
    const next = await submitDiagnostic(after, {});
    expect((await watchToEnd(after, next)).length).toBeGreaterThan(3);
    after.close();
  } finally {
    await stack?.close();
    for (const path of [place, postgres]) if (path) await rm(path, { recursive: true, force: true });
  }
}, 120_000);
