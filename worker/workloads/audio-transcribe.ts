import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audioTranscribe } from '@gjm/core/workload/audio-transcribe.js';
import { openWav } from './audio/read-wav.js';
import { Resampler } from './audio/resample.js';
import { defineWorkload, type Output, type WorkloadContext } from './define.js';
import type { Note } from './transcribe/find-notes.js';

/** Hears the notes of a recording, window by window. */
export const audioTranscribeWorkload = defineWorkload(audioTranscribe, async (context) => {
  const path = context.inputs['audio'];
  if (path === undefined) throw new Error('The input "audio" is missing.');
  // What loads models is loaded by the first attempt that needs it.
  const { hear, hearing, loadTranscriber, windowPeakBytes } = await import('./transcribe/transcriber.js');
  const { findNotes } = await import('./transcribe/find-notes.js');
  const { samples, seconds } = await readRecording(path, hearing.rate, context);
  context.engine.assertRoom(windowPeakBytes);
  const model = await loadTranscriber();
  const startMs = performance.now();
  const heard = await hear(model, samples, async (done, total) => {
    const leftMs = ((performance.now() - startMs) / done) * (total - done);
    const message = `part ${done} of ${total}`;
    context.progress({ step: done, total, message, etaSeconds: Math.ceil(leftMs / 1_000) });
    await context.yieldNow();
    context.stopIfAsked();
  });
  const notes = findNotes(heard);
  await context.print(`${notes.length} notes heard`);
  return writeNotes(context.outputDir, notes, seconds);
});

/** The whole recording at the model's rate. */
async function readRecording(
  path: string,
  rate: number,
  context: WorkloadContext<unknown>,
): Promise<{ samples: Float32Array; seconds: number }> {
  const recording = await openWav(path);
  try {
    const { facts } = recording;
    const { channels, bits, encoding } = facts;
    const seconds = facts.frames / facts.rate;
    const sound = `${channels === 1 ? 'mono' : 'stereo'}, ${facts.rate} Hz, ${bits} bit ${encoding}`;
    await context.print(`${seconds.toFixed(2)} s ${sound}, on ${context.engine.name}`);
    const resampler = new Resampler(facts.rate, rate);
    const parts: Float32Array[] = [];
    for await (const block of recording.blocks()) {
      parts.push(resampler.push(block));
      await context.yieldNow();
      context.stopIfAsked();
    }
    parts.push(resampler.finish());
    return { samples: joined(parts), seconds };
  } finally {
    await recording.close();
  }
}

/** In one piece, and no louder than full scale: a recorder of floats may go beyond. */
function joined(parts: readonly Float32Array[]): Float32Array {
  const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return peak > 1 ? samples.map((sample) => sample / peak) : samples;
}

async function writeNotes(folder: string, notes: readonly Note[], seconds: number): Promise<Output[]> {
  const { midiFile, velocityOf } = await import('./transcribe/write-midi.js');
  const rounded = (value: number): number => Number(value.toFixed(4));
  const list = notes.map((note) => ({
    start: rounded(note.start),
    end: rounded(note.end),
    pitch: note.pitch,
    amplitude: rounded(note.amplitude),
    velocity: velocityOf(note),
  }));
  const json = { seconds: rounded(seconds), notes: list };
  await writeFile(join(folder, 'notes.mid'), midiFile(notes));
  await writeFile(join(folder, 'notes.json'), `${JSON.stringify(json, null, 1)}\n`);
  return [
    { name: 'notes.mid', path: 'notes.mid', mediaType: 'audio/midi' },
    { name: 'notes.json', path: 'notes.json', mediaType: 'application/json' },
  ];
}
