import { z } from 'zod';
import { defineKind, fileParam } from './define.js';

/** Limits that hold before a sample is read. */
export const transcribeLimits = {
  fileBytes: 1024 * 1024 * 1024,
  seconds: 30 * 60,
  /** Samples a second. */
  lowestRate: 8_000,
  highestRate: 192_000,
};

export const audioTranscribe = defineKind({
  name: 'audio.transcribe',
  title: 'Transcribe music',
  description:
    'Hears the notes of a recording: a WAV file of up to 30 minutes, mono or stereo. Made for one instrument at a time, several notes at once included. Makes notes.mid (a MIDI file) and notes.json (start and end in seconds, MIDI pitch, loudness) with the Basic Pitch model.',
  params: z.strictObject({
    audio: fileParam(['audio/wav'], 'The recording: WAV, PCM of 8, 16, 24 or 32 bits or float.'),
  }),
  outputs: ['notes.mid', 'notes.json'],
  tiers: [],
});
