import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import * as tf from '@tensorflow/tfjs-core';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { folderArtifacts } from '../model-folder.js';
import { warmModel } from '../warm-models.js';

/** What the model hears: mono, samples a second, samples from one frame to the next, and keys from A0 (MIDI 21) up. */
export const hearing = { rate: 22_050, hop: 256, keys: 88, lowestPitch: 21 };

/** Samples the model takes at once, and the frames it makes of them. */
const windowSamples = 43_844;
const windowFrames = 172;
/**
 * Frames at each end of a window that are left to its neighbours, because the model hears too little around them. What stays, 140 frames, is
 * a whole number of hops, so that every frame has its exact place in time.
 */
const edgeFrames = 16;
const keptFrames = windowFrames - 2 * edgeFrames;

/** Tensor bytes at the peak of one window: measured 6.3 MB, rounded up. */
export const windowPeakBytes = 16 * 1024 * 1024;

/** How probably each key sounds, and begins, by frame and key: value of key k in frame f is at f · keys + k. */
export interface Heard {
  frames: number;
  notes: Float32Array;
  onsets: Float32Array;
}

/** The Basic Pitch model (Bittner et al., "A Lightweight Instrument-Agnostic Model for Polyphonic Note Transcription", ICASSP 2022). */
export function loadTranscriber(): Promise<GraphModel> {
  return warmModel('basic-pitch', () => loadGraphModel({ load: () => folderArtifacts(modelFolder()) }));
}

/** The package's script lies in `<folder>/cjs`, the weights in `<folder>/model`. */
function modelFolder(): string {
  const script = createRequire(import.meta.url).resolve('@spotify/basic-pitch');
  return join(script.slice(0, script.lastIndexOf(`${sep}cjs${sep}`)), 'model');
}

/**
 * Hears a whole recording, window after window.
 * @param samples of `hearing.rate`
 * @param afterWindow called with the number of windows done; may throw to end the work
 */
export async function hear(
  model: GraphModel,
  samples: Float32Array,
  afterWindow: (done: number, total: number) => Promise<void>,
): Promise<Heard> {
  const frames = Math.ceil(samples.length / hearing.hop);
  const windows = Math.ceil(frames / keptFrames);
  const size = frames * hearing.keys;
  const heard = { frames, notes: new Float32Array(size), onsets: new Float32Array(size) };
  const view = new Float32Array(windowSamples);
  for (let index = 0; index < windows; index++) {
    const from = (index * keptFrames - edgeFrames) * hearing.hop;
    view.fill(0);
    view.set(samples.subarray(Math.max(0, from), from + windowSamples), Math.max(0, -from));
    const [notes, onsets] = await runWindow(model, view);
    const place = index * keptFrames * hearing.keys;
    const count = Math.min(keptFrames * hearing.keys, size - place);
    const skip = edgeFrames * hearing.keys;
    heard.notes.set(notes.subarray(skip, skip + count), place);
    heard.onsets.set(onsets.subarray(skip, skip + count), place);
    await afterWindow(index + 1, windows);
  }
  return heard;
}

/** The graph's outputs have no better names: Identity_1 are the notes, Identity_2 the onsets. */
async function runWindow(model: GraphModel, view: Float32Array): Promise<[Float32Array, Float32Array]> {
  const outputs = tf.tidy(
    () =>
      model.execute(tf.tensor3d(view, [1, windowSamples, 1]), ['Identity_1', 'Identity_2']) as tf.Tensor[],
  );
  try {
    const [notes, onsets] = await Promise.all(outputs.map((output) => output.data<'float32'>()));
    return [notes!, onsets!];
  } finally {
    tf.dispose(outputs);
  }
}
