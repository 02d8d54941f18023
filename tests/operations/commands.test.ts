import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';
import { programFolders } from './environment.js';

const documents = ['README.md', 'docs/cli.md', 'docs/deployment.md', 'docs/operations.md'];

/** The lines of a document's shell blocks, without their comments. */
function commandsOf(document: string): string[] {
  const text = readFileSync(join(cloneRoot, document), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
  return blocks
    .join('\n')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '');
}

const isOurs = (command: string): boolean => /^(npx )?gjm |^id=\$\(gjm /.test(command);

/** Commands that do not run here: where they do, or why they can not. */
const elsewhere: [RegExp, string][] = [
  [/^npm run demo/, 'by hand in a fresh clone: it installs and builds first'],
  [/^npm run up$/, 'tests/operations/scripts.test.ts'],
  [/^npm run worker/, 'tests/chaos/two-machines.test.ts'],
  [/^npx gjm login --link/, 'tests/cli/sign-in.test.ts'],
  [/scripts\/login\.sh/, 'tests/operations/scripts.test.ts'],
  [
    /^cp deploy\/compose|^docker compose|^kubectl/,
    'not run: there is no container engine and no cluster in the tests',
  ],
  [
    /^pg_dump|^pg_restore|^rsync|^createdb|^psql/,
    'not run: they belong to the operating system, not to this project',
  ],
];

const all = documents.flatMap((document) => commandsOf(document).map((command) => ({ document, command })));

test.each(all)('$document: "$command" is run by a test, or it is said why not', ({ command }) => {
  if (isOurs(command) && !/login --link/.test(command)) return;
  const where = elsewhere.filter(([form]) => form.test(command)).map(([, place]) => place);
  expect(where).toHaveLength(1);
  if (where[0]?.startsWith('tests/')) readFileSync(join(cloneRoot, where[0]));
});

describe('the terminal’s commands, word for word', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  /** The newest job that a command spoke of: what `job_…` stands for. */
  let jobId = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gjm-commands-'));
    const { token } = await signUp(sharedStack().url);
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const gjm = join(cloneRoot, 'cli', 'bin', 'gjm.mjs');
    await writeFile(join(bin, 'gjm'), `#!/bin/sh\nexec '${process.execPath}' '${gjm}' "$@"\n`);
    await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
    for (const name of ['gjm', 'npx']) await chmod(join(bin, name), 0o755);
    env = {
      PATH: [bin, ...programFolders()].join(delimiter),
      HOME: folder,
      GJM_URL: sharedStack().url,
      GJM_TOKEN: token,
    };
    await sharp(join(cloneRoot, 'samples', 'harbour.png'))
      .resize(24, 16)
      .jpeg()
      .toFile(join(folder, 'photo.jpg'));
    await sharp(join(folder, 'photo.jpg')).png().toFile(join(folder, 'logo.png'));
    await cp(join(cloneRoot, 'samples'), join(folder, 'samples'), { recursive: true });
    const flowers = Array.from(
      { length: 30 },
      (_, row) => `${row % 3},${row % 5},${['a', 'b', 'c'][row % 3]}`,
    );
    await writeFile(join(folder, 'iris.csv'), ['petal,sepal,species', ...flowers].join('\n'));
    await writeFile(join(folder, 'new.csv'), 'petal,sepal\n1,2\n0,4\n');
    await writeFile(join(folder, 'params.json'), '{ "scale": 2 }');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function run(command: string): Promise<string> {
    const child = spawn('sh', ['-c', command.replaceAll('job_…', jobId)], { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    jobId = [...output.matchAll(/job_[0-9a-z]{26}/g)].at(-1)?.[0] ?? jobId;
    if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${output}`);
    return output;
  }

  test('of the README', async () => {
    for (const command of commandsOf('README.md').filter(isOurs)) {
      if (/login --link/.test(command)) continue;
      // The model of the training before.
      if (/model=results\/model\.zip/.test(command)) await run('gjm artifacts get job_… --out results');
      await run(command);
    }
  }, 180_000);

  test('of docs/cli.md', async () => {
    await rm(join(folder, 'results'), { recursive: true, force: true });
    for (const command of commandsOf('docs/cli.md').filter(isOurs)) await run(command);
  }, 60_000);
});
