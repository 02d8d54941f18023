import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { collectOutputs } from './collect-outputs.js';

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gjm-outputs-'));
  for (const name of ['out', 'taken']) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function collect(user: { name: string; uid: number; gid: number } | null, expect: string[] = []) {
  const leftOut: string[] = [];
  const limits = { processes: 1, outputBytes: 100 };
  const outputs = await collectOutputs({
    ...{ task: { folder, user, limits }, expect, outputDir: join(folder, 'taken') },
    onLeftOut: (sentence) => void leftOut.push(sentence),
  });
  return { outputs, leftOut };
}

test('outputs are named by their paths, in order, typed by their endings, and moved under names of ours', async () => {
  mkdirSync(join(folder, 'out/b'));
  for (const name of ['b/2.JSON', 'c', 'a.png']) writeFileSync(join(folder, 'out', name), name);
  const { outputs, leftOut } = await collect({ name: 'me', uid, gid });
  expect(outputs).toEqual([
    { name: 'a.png', path: '0', mediaType: 'image/png' },
    { name: 'b/2.JSON', path: '1', mediaType: 'application/json' },
    { name: 'c', path: '2', mediaType: 'application/octet-stream' },
  ]);
  expect(outputs.map(({ path }) => readFileSync(join(folder, 'taken', path), 'utf8'))).toEqual([
    'a.png',
    'b/2.JSON',
    'c',
  ]);
  expect(leftOut).toEqual([]);
});

test('a file of another user is left out, as a hard link to one would be', async () => {
  writeFileSync(join(folder, 'out/secret'), 'x');
  const { outputs, leftOut } = await collect({ name: 'other', uid: uid + 1, gid });
  expect(outputs).toEqual([]);
  expect(leftOut).toEqual(['The output "secret" is left out: it belongs to another user.']);
});

test('names that are too long, too deep or no text are left out', async () => {
  const deep = Array.from({ length: 70 }, (_, n) => `${n}`).join('/');
  mkdirSync(join(folder, 'out', deep), { recursive: true });
  mkdirSync(join(folder, 'out/l'.padEnd(205, 'l')));
  writeFileSync(join(folder, 'out/l'.padEnd(205, 'l'), 'n'.repeat(100)), 'x');
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/out/bad`), Buffer.from([0xff])]), 'x');
  const { outputs, leftOut } = await collect(null);
  expect(outputs).toEqual([]);
  expect(leftOut).toHaveLength(3);
  for (const why of [
    'has a name that is no text',
    'has a path of more than 255 characters',
    'lies more than 64 folders deep',
  ])
    expect(leftOut.join('\n')).toContain(why);
});

test('nothing is taken when there is more than may be', async () => {
  writeFileSync(join(folder, 'out/large'), 'x'.repeat(101));
  await expect(collect(null)).rejects.toMatchObject({
    code: 'OUTPUT_INVALID',
    message: /101 bytes, at most 100/,
  });
  expect(readdirSync(join(folder, 'out'))).toEqual(['large']);
});
