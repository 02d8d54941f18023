import { type Heard, hearing } from './transcriber.js';

/** A note, in frames: `end` is the first frame after it. */
interface FrameNote {
  key: number;
  begin: number;
  end: number;
}

/** A note that was heard. */
export interface Note {
  /** Seconds from the recording's begin. */
  start: number;
  end: number;
  /** MIDI number, 69 = A4. */
  pitch: number;
  /** Mean probability while it sounds, 0 to 1. */
  amplitude: number;
}

/** As published with the model: what counts as an onset and as sounding, how short a silence a note survives, and how short it may be. */
const onsetThreshold = 0.5;
const noteThreshold = 0.3;
const patienceFrames = 11;
/** 127.7 ms. */
const leastFrames = 11;

const { keys } = hearing;

/**
 * Makes notes of probabilities, by the method of the model's paper: from each onset, latest first, a key is followed as long as it sounds;
 * what then still sounds without an onset becomes notes as well, loudest first. A frame counts for one note only, and silences the keys
 * beside it. In order of start, then pitch.
 */
export function findNotes({ frames, notes, onsets }: Heard): Note[] {
  const energy = notes.slice();
  const found: FrameNote[] = [];
  const take = (note: FrameNote): void => {
    for (let frame = note.begin; frame < note.end; frame++)
      for (let key = Math.max(0, note.key - 1); key <= Math.min(keys - 1, note.key + 1); key++)
        energy[frame * keys + key] = 0;
    found.push(note);
  };
  for (const { key, begin } of peaksOf(onsets, frames).reverse()) {
    const end = follow(energy, key, begin + 1, 1, frames);
    if (end - begin > leastFrames) take({ key, begin, end });
  }
  for (const cell of loudestFirst(energy)) {
    if (energy[cell] === 0) continue;
    const [frame, key] = [Math.floor(cell / keys), cell % keys];
    const end = follow(energy, key, frame + 1, 1, frames);
    const begin = follow(energy, key, frame - 1, -1, frames) + 1;
    energy[cell] = 0;
    if (end - begin > leastFrames) take({ key, begin, end });
  }
  const seconds = (frame: number): number => (frame * hearing.hop) / hearing.rate;
  return found
    .map(({ key, begin, end }) => ({
      start: seconds(begin),
      end: seconds(end),
      pitch: key + hearing.lowestPitch,
      amplitude: meanOf(notes, key, begin, end),
    }))
    .sort((a, b) => a.start - b.start || a.pitch - b.pitch);
}

/** Frames where a key's onset is highest around, by time. */
function peaksOf(onsets: Float32Array, frames: number): { key: number; begin: number }[] {
  const peaks: { key: number; begin: number }[] = [];
  for (let begin = 0; begin < frames; begin++)
    for (let key = 0; key < keys; key++) {
      const at = begin * keys + key;
      const value = onsets[at]!;
      const [before, after] = [onsets[at - keys] ?? 0, onsets[at + keys] ?? 0];
      if (value >= onsetThreshold && value > before && value >= after) peaks.push({ key, begin });
    }
  return peaks;
}

/** The frame after the last one, in this direction, in which the key sounds; short silences in between do not end it. */
function follow(energy: Float32Array, key: number, from: number, step: 1 | -1, frames: number): number {
  let silent = 0;
  let frame = from;
  for (; frame >= 0 && frame < frames && silent < patienceFrames; frame += step)
    silent = energy[frame * keys + key]! < noteThreshold ? silent + 1 : 0;
  return frame - step * silent;
}

function loudestFirst(energy: Float32Array): Uint32Array {
  const cells: number[] = [];
  energy.forEach((value, cell) => {
    if (value > noteThreshold) cells.push(cell);
  });
  return Uint32Array.from(cells).sort((a, b) => energy[b]! - energy[a]!);
}

function meanOf(values: Float32Array, key: number, begin: number, end: number): number {
  let sum = 0;
  for (let frame = begin; frame < end; frame++) sum += values[frame * keys + key]!;
  return sum / (end - begin);
}
