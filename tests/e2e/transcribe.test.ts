import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { newUser, statusesOf, watchToEnd } from '../support/user.js';

const sample = join(cloneRoot, 'samples', 'scale.wav');

let client: NodeClient;
let folder: string;
beforeAll(async () => {
  client = await newUser(sharedStack().url);
  folder = await mkdtemp(join(tmpdir(), 'gjm-transcribe-'));
});
afterAll(async () => {
  client.close();
  await rm(folder, { recursive: true, force: true });
});

test('the sample is heard as the scale it is', async () => {
  const audio = (await client.uploadFile(sample)).id;
  const { job } = unwrap(await client.submit({ kind: 'audio.transcribe', params: { audio } }));
  expect(statusesOf(await watchToEnd(client, job.id)).at(-1)).toBe('SUCCEEDED');
  const artifacts = (await client.job(job.id))?.artifacts ?? [];
  expect(artifacts.map(({ name, mediaType }) => [name, mediaType]).sort()).toEqual([
    ['notes.json', 'application/json'],
    ['notes.mid', 'audio/midi'],
  ]);
  const path = join(folder, 'notes.json');
  await client.downloadArtifact(
    artifacts.find(({ name }) => name === 'notes.json')!,
    path,
  );
  const { notes } = JSON.parse(await readFile(path, 'utf8')) as { notes: { pitch: number }[] };
  expect(notes.map(({ pitch }) => pitch)).toEqual([60, 62, 64, 65, 67, 69, 71, 72]);
});

test('what is no WAV by its first bytes is refused at submit, and one that is cut off fails after one attempt', async () => {
  const whole = await readFile(sample);
  const upload = async (source: Buffer) => (await client.upload({ name: 'a.wav', source })).id;
  await expect(
    client.submit({
      kind: 'audio.transcribe',
      params: { audio: await upload(Buffer.from('RIFF1234WEBP')) },
    }),
  ).resolves.toMatchObject({ fields: [{ path: ['params', 'audio'] }] });
  const audio = await upload(whole.subarray(0, whole.length / 2));
  const { job } = unwrap(await client.submit({ kind: 'audio.transcribe', params: { audio } }));
  await watchToEnd(client, job.id);
  const ended = await client.job(job.id);
  expect(ended).toMatchObject({ status: 'FAILED', failure: { code: 'INVALID_INPUT', origin: 'USER' } });
  expect(ended?.attempts).toHaveLength(1);
});
