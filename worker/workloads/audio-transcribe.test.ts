import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as tf from '@tensorflow/tfjs-core';
import type { Engine } from '../engines/engine.js';
import { wasmLoader } from '../engines/wasm.js';
import { workloadContext } from '../testing/workload-context.js';
import { audioTranscribeWorkload } from './audio-transcribe.js';
import { playTones, wavFile, type WavForm } from './audio/wav-under-test.js';
import { type ProgressUpdate, WorkloadStopped } from './define.js';
import { warmTensors } from './warm-models.js';

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gjm-transcribe-'));
  const loaded = await wasmLoader.load();
  if (!loaded.ok) throw new Error(loaded.message);
  engine = loaded.engine;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Notes {
  seconds: number;
  notes: { start: number; end: number; pitch: number; amplitude: number; velocity: number }[];
}

/** Runs the workload on the bytes of a file; `stopAfter` asks for a stop after so many parts. */
async function transcribe(bytes: Buffer, stopAfter = Infinity) {
  const outputDir = await mkdtemp(join(folder, 'out-'));
  const audio = join(outputDir, 'input');
  await writeFile(audio, bytes);
  const progress: ProgressUpdate[] = [];
  const context = workloadContext({
    params: { audio: '' },
    inputs: { audio },
    outputDir,
    engine,
    stopRequested: () => progress.length >= stopAfter,
    progress: (update) => void progress.push(update),
  });
  const before = tf.memory().numTensors - warmTensors();
  try {
    const outputs = await audioTranscribeWorkload.run(context);
    expect(outputs.map(({ name }) => name)).toEqual(['notes.mid', 'notes.json']);
  } finally {
    expect(tf.memory().numTensors - warmTensors()).toBe(before);
  }
  const json = JSON.parse(await readFile(join(outputDir, 'notes.json'), 'utf8')) as Notes;
  return { json, midi: await readFile(join(outputDir, 'notes.mid')), progress };
}

/** One step of the model in time, in seconds. */
const frame = 256 / 22_050;
const studio: WavForm = { encoding: 'integer', bits: 16, channels: 2, rate: 48_000 };

test.each<WavForm>([
  studio,
  { encoding: 'integer', bits: 8, channels: 1, rate: 8_000 },
  { encoding: 'float', bits: 32, channels: 1, rate: 44_100 },
])('a tone of 440 Hz is the A above middle C, whatever the file ($bits bit, $rate Hz)', async (form) => {
  const tone = { pitch: 69, start: 0.3, end: 1 };
  const { json } = await transcribe(wavFile(playTones([tone], 1.2, form.rate), form));
  expect(json.seconds).toBeCloseTo(1.2, 3);
  expect(json.notes).toMatchObject([{ pitch: 69, velocity: expect.any(Number) }]);
  expect(Math.abs(json.notes[0]!.start - tone.start)).toBeLessThanOrEqual(frame);
});

const scale = [60, 62, 64, 65, 67, 69, 71, 72].map((pitch, index) => {
  const start = 0.25 + index * 0.55;
  return { pitch, start, end: start + 0.5 };
});

test('a scale gives its notes in order, each begun within one frame, and the same as MIDI', async () => {
  const form = { ...studio, rate: 44_100 };
  const { json, midi, progress } = await transcribe(wavFile(playTones(scale, 5, form.rate), form));
  expect(json.notes.map(({ pitch }) => pitch)).toEqual(scale.map(({ pitch }) => pitch));
  for (const [index, { start }] of scale.entries())
    expect(Math.abs(json.notes[index]!.start - start)).toBeLessThanOrEqual(frame);
  expect(progress.map(({ step, total }) => [step, total])).toEqual([
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 4],
  ]);
  const pressed = keysOf(midi).filter(({ isPress }) => isPress);
  expect(pressed.map(({ key }) => key)).toEqual(scale.map(({ pitch }) => pitch));
  for (const [index, { seconds }] of pressed.entries())
    expect(seconds).toBeCloseTo(json.notes[index]!.start, 2);
  expect(keysOf(midi)).toHaveLength(2 * scale.length);
});

test('two tones at once are two notes', async () => {
  const chord = [60, 67].map((pitch) => ({ pitch, start: 0.3, end: 1.1 }));
  const { json } = await transcribe(wavFile(playTones(chord, 1.3, 48_000), studio));
  expect(json.notes.map(({ pitch }) => pitch).sort()).toEqual([60, 67]);
});

test('silence has no notes', async () => {
  const { json, midi } = await transcribe(wavFile(new Float32Array(24_000), studio));
  expect(json.notes).toEqual([]);
  expect(keysOf(midi)).toEqual([]);
});

test('a stop ends the work at the next part', async () => {
  const long = wavFile(playTones(scale, 5, 48_000), studio);
  await expect(transcribe(long, 1)).rejects.toThrow(WorkloadStopped);
});

/** The keys of a MIDI file as its own header says them: one track, delta times, 480 ticks in a half second. */
function keysOf(midi: Buffer): { seconds: number; key: number; isPress: boolean }[] {
  expect(midi.toString('latin1', 0, 4) + midi.toString('latin1', 14, 18)).toBe('MThdMTrk');
  expect([midi.readUInt16BE(8), midi.readUInt16BE(10)]).toEqual([0, 1]);
  expect(midi.readUInt32BE(18)).toBe(midi.length - 22);
  const perSecond = midi.readUInt16BE(12) * 2;
  const keys: ReturnType<typeof keysOf> = [];
  let [at, tick] = [22, 0];
  while (at < midi.length) {
    let delta = 0;
    for (let more = true; more; at++) {
      delta = delta * 128 + (midi[at]! & 0x7f);
      more = midi[at]! > 0x7f;
    }
    tick += delta;
    const status = midi[at]!;
    if (status !== 0xff)
      keys.push({ seconds: tick / perSecond, key: midi[at + 1]!, isPress: status === 0x90 });
    at += 3 + (status === 0xff ? midi[at + 2]! : 0);
  }
  return keys;
}
