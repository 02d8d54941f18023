import { readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { signUp } from '../support/sign-in.js';
import { commandsOf, documents, DocumentsShell } from './documents-shell.js';

const isOurs = (command: string): boolean => /^(npx )?gjm |^id=\$\(gjm /.test(command);
/** Documents whose `gjm` commands this file runs word for word. */
const runHere = ['README.md', 'docs/cli.md'];

/** Commands that are run elsewhere: in which test, and the words there that run them. */
const elsewhere: [form: RegExp, file: string, words: string][] = [
  [/^npm run up$/, 'tests/operations/up-stack.ts', "'npm run up'"],
  [/^npm run (backup|restore) /, 'tests/operations/backup.test.ts', '/^npm run $1/'],
  [/^npm run (worker|demo)( |$)/, 'tests/operations/one-stack.test.ts', '/^npm run $1'],
  [/scripts\/(login)\.sh/, 'tests/operations/one-stack.test.ts', '/scripts\\/$1\\.sh/'],
  [/^npx gjm (login) --link/, 'tests/operations/one-stack.test.ts', '/^npx gjm $1 --link/'],
  [/^npx gjm (run|submit process\.run) /, 'tests/operations/one-stack.test.ts', '/^npx gjm $1'],
  [/^npm run setup:(models|webgpu)$/, 'tests/operations/one-stack.test.ts', "'$1'"],
];

const all = documents.flatMap(commandsOf);

test('there are commands in every document that is known to have some', () => {
  const known = [
    'README.md',
    ...['cli', 'deployment', 'engines', 'kinds', 'operations', 'programs'].map((name) => `docs/${name}.md`),
  ];
  expect([...new Set(all.map(({ document }) => document))].sort()).toEqual(known.sort());
});

test.each(all)('$document: "$command" is run by a test, or the document says why not', (documented) => {
  const { document, command, isNotRun } = documented;
  const found = (isNotRun ? [] : elsewhere).flatMap(([form, file, words]) => {
    const match = form.exec(command);
    return match ? [{ file, words: words.replace('$1', (match[1] ?? '').replaceAll('.', '\\.')) }] : [];
  });
  const isRunHere = runHere.includes(document) && isOurs(command) && found.length === 0;
  expect(found.length + Number(isRunHere) + Number(isNotRun)).toBe(1);
  for (const { file, words } of found) expect(readFileSync(join(cloneRoot, file), 'utf8')).toContain(words);
});

describe('the terminal’s commands, word for word', () => {
  let shell: DocumentsShell;

  beforeAll(async () => {
    const { token } = await signUp(sharedStack().url);
    shell = await DocumentsShell.open(sharedStack().url, token);
    const { folder } = shell;
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
  afterAll(() => shell.close());

  const oursOf = (document: string): string[] =>
    commandsOf(document)
      .map(({ command }) => command)
      .filter((command) => isOurs(command) && !/login --link/.test(command));

  test('of the README', async () => {
    for (const command of oursOf('README.md')) {
      // The model of the training before.
      if (/model=results\/model\.zip/.test(command)) await shell.run('gjm artifacts get job_… --out results');
      await shell.run(command);
    }
  }, 180_000);

  test('of docs/cli.md', async () => {
    await rm(join(shell.folder, 'results'), { recursive: true, force: true });
    for (const command of oursOf('docs/cli.md')) await shell.run(command);
  }, 60_000);
});
