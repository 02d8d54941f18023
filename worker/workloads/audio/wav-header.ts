import type { FileHandle } from 'node:fs/promises';
import { transcribeLimits } from '@gjm/core/workload/audio-transcribe.js';
import { invalidInput } from '../define.js';

/** What a WAV file says of its sound, held against its size and the limits. */
export interface WavFacts {
  encoding: 'integer' | 'float';
  /** Bits of one sample: 8 (unsigned), 16, 24 or 32; of a float 32 or 64. */
  bits: number;
  channels: 1 | 2;
  /** Frames a second; a frame is one sample of each channel. */
  rate: number;
  /** How many frames there are, and the byte where they begin. */
  frames: number;
  offset: number;
}

/** More chunks than any recorder writes before its sound. */
const mostChunks = 1_000;

/** Format tags of `fmt `. An extensible one has the real tag in its sub-format. */
const tags = { integer: 1, float: 3, extensible: 0xfffe };

/**
 * Reads the header of a RIFF/WAVE file (Microsoft and IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991, with
 * WAVEFORMATEXTENSIBLE of 2001). Nothing it says of itself is believed that the file's size does not bear out.
 * @throws WorkloadFailure INVALID_INPUT with one sentence
 */
export async function readWavHeader(file: FileHandle): Promise<WavFacts> {
  const { size } = await file.stat();
  if (size > transcribeLimits.fileBytes)
    throw invalidInput(`The file has ${size} bytes, at most ${transcribeLimits.fileBytes} are read.`);
  const head = await readExactly(file, 0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')
    throw invalidInput('The file is no WAV file.');
  let format: Omit<WavFacts, 'frames' | 'offset'> | null = null;
  let at = 12;
  for (let count = 0; count < mostChunks && at + 8 <= size; count++) {
    const chunk = await readExactly(file, at, 8);
    const [name, bytes] = [chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)];
    at += 8;
    if (name === 'fmt ') format = readFormat(await readExactly(file, at, Math.min(bytes, 40)));
    if (name === 'data') return withSound(format, at, bytes, size);
    // Chunks begin at even places.
    at += bytes + (bytes % 2);
  }
  throw invalidInput('The WAV file has no sound in it, or ends before it.');
}

function readFormat(bytes: Buffer): Omit<WavFacts, 'frames' | 'offset'> {
  if (bytes.length < 16) throw invalidInput('The WAV file is damaged: its format is cut off.');
  const outer = bytes.readUInt16LE(0);
  const tag = outer === tags.extensible && bytes.length >= 26 ? bytes.readUInt16LE(24) : outer;
  const [channels, rate, block, bits] = [
    bytes.readUInt16LE(2),
    bytes.readUInt32LE(4),
    bytes.readUInt16LE(12),
    bytes.readUInt16LE(14),
  ];
  if (channels !== 1 && channels !== 2)
    throw invalidInput(`The WAV file has ${channels} channels; mono and stereo are read.`);
  const { lowestRate, highestRate } = transcribeLimits;
  if (rate < lowestRate || rate > highestRate)
    throw invalidInput(
      `The WAV file has ${rate} samples a second; ${lowestRate} to ${highestRate} are read.`,
    );
  const encoding = tag === tags.integer ? 'integer' : tag === tags.float ? 'float' : null;
  const known = encoding === 'integer' ? [8, 16, 24, 32] : encoding === 'float' ? [32, 64] : [];
  if (!encoding || !known.includes(bits))
    throw invalidInput(
      `The WAV file is written in a way that is not read here (format ${tag}, ${bits} bits): PCM of 8, 16, 24 or 32 bits and float are.`,
    );
  if (block !== (channels * bits) / 8)
    throw invalidInput(`The WAV file contradicts itself: ${channels} × ${bits} bits are not ${block} bytes.`);
  return { encoding, bits, channels, rate };
}

function withSound(
  format: Omit<WavFacts, 'frames' | 'offset'> | null,
  offset: number,
  bytes: number,
  size: number,
): WavFacts {
  if (!format) throw invalidInput('The WAV file is damaged: its sound comes before its format.');
  const left = size - offset;
  if (bytes > left)
    throw invalidInput(`The WAV file is cut off: it announces ${bytes} bytes of sound and has ${left}.`);
  const frames = Math.floor(bytes / ((format.channels * format.bits) / 8));
  if (frames === 0) throw invalidInput('The WAV file has no sound in it.');
  const seconds = frames / format.rate;
  if (seconds > transcribeLimits.seconds)
    throw invalidInput(
      `The recording takes ${Math.ceil(seconds)} seconds, at most ${transcribeLimits.seconds} are transcribed.`,
    );
  return { ...format, frames, offset };
}

async function readExactly(file: FileHandle, from: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
  if (bytesRead < bytes) throw invalidInput('The WAV file is cut off in its header.');
  return buffer;
}
