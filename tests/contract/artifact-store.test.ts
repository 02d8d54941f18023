import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { createFolderStore } from '@gjm/server/artifacts/folder.js';
import { claimArtifactFolder } from '@gjm/server/artifacts/folder-marker.js';
import { describeStore } from './artifact-store.js';

const makeFolder = () => mkdtemp(join(tmpdir(), 'gjm-store-'));

describeStore('a folder', async () => createFolderStore(await makeFolder()));

describe('the folder store', () => {
  test('has no key before the rename, and lists the part of a write that was cut there', async () => {
    const root = await makeFolder();
    const seen: (string | null)[] = [];
    const store = createFolderStore(root, {
      async beforeCommit() {
        seen.push((await store.stat('a/b')) && 'whole');
        for await (const { key } of store.list()) seen.push(key);
      },
    });
    await store.put('a/b', Readable.from([Buffer.from('x')]), { maxBytes: 10 });
    expect(seen).toEqual([null, expect.stringMatching(/^a\/b\.[0-9a-f]{8}\.part$/)]);
    await store.remove('a/c.00000000.part');
  });

  test('takes empty folders away with their last file', async () => {
    const root = await makeFolder();
    const store = createFolderStore(root);
    await store.put('a/b/c', Readable.from([Buffer.from('x')]), { maxBytes: 10 });
    await store.remove('a/b/c');
    await expect(stat(join(root, 'a'))).rejects.toThrow('ENOENT');
    expect((await stat(root)).isDirectory()).toBe(true);
  });
});

describe('claimArtifactFolder', () => {
  const fresh = { id: 'one', hasArtifacts: false };

  test('marks a new folder, also when many do at once, and knows it again', async () => {
    const folder = join(await makeFolder(), 'artifacts');
    await Promise.all(Array.from({ length: 5 }, () => claimArtifactFolder(folder, fresh)));
    await claimArtifactFolder(folder, { id: 'one', hasArtifacts: true });
    expect(await readFile(join(folder, '.gjm-installation'), 'utf8')).toBe('one\n');
  });

  test('refuses another’s folder, and an unmarked one where files should be', async () => {
    const folder = await makeFolder();
    await expect(claimArtifactFolder(folder, { id: 'one', hasArtifacts: true })).rejects.toThrow(
      'not the folder',
    );
    await writeFile(join(folder, '.gjm-installation'), 'two\n');
    await expect(claimArtifactFolder(folder, fresh)).rejects.toThrow('another database');
  });
});
