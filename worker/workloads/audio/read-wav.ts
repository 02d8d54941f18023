import { open, type FileHandle } from 'node:fs/promises';
import { invalidInput } from '../define.js';
import { readWavHeader, type WavFacts } from './wav-header.js';

/** Frames read at once. */
const blockFrames = 65_536;

/** A WAV file's sound, mixed down to one channel. */
export interface Recording {
  facts: WavFacts;
  /** Samples of about -1 to 1, block by block. @throws WorkloadFailure INVALID_INPUT for samples that are no numbers */
  blocks(): AsyncGenerator<Float32Array>;
  close(): Promise<void>;
}

/** @throws WorkloadFailure INVALID_INPUT with one sentence */
export async function openWav(path: string): Promise<Recording> {
  const file = await open(path);
  try {
    const facts = await readWavHeader(file);
    return { facts, blocks: () => readBlocks(file, facts), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readBlocks(file: FileHandle, facts: WavFacts): AsyncGenerator<Float32Array> {
  const frameBytes = (facts.channels * facts.bits) / 8;
  const buffer = Buffer.alloc(blockFrames * frameBytes);
  for (let done = 0; done < facts.frames;) {
    const wanted = Math.min(blockFrames, facts.frames - done) * frameBytes;
    const { bytesRead } = await file.read(buffer, 0, wanted, facts.offset + done * frameBytes);
    if (bytesRead < wanted) throw invalidInput('The WAV file is cut off in its sound.');
    yield mixDown(buffer.subarray(0, wanted), facts, done);
    done += wanted / frameBytes;
  }
}

/** The mean of each frame's channels. */
function mixDown(bytes: Buffer, facts: WavFacts, before: number): Float32Array {
  const { channels, bits } = facts;
  const read = sampleReader(bytes, facts);
  const sampleBytes = bits / 8;
  const mixed = new Float32Array(bytes.length / (channels * sampleBytes));
  for (let frame = 0, at = 0; frame < mixed.length; frame++, at += channels * sampleBytes) {
    const first = read(at);
    mixed[frame] = channels === 1 ? first : (first + read(at + sampleBytes)) / 2;
    if (!Number.isFinite(mixed[frame]))
      throw invalidInput(`Sample ${before + frame + 1} of the WAV file is not a number that can be heard.`);
  }
  return mixed;
}

/** Integers become -1 to 1; 8 bit ones are unsigned. */
function sampleReader(bytes: Buffer, { encoding, bits }: WavFacts): (at: number) => number {
  if (encoding === 'float')
    return bits === 32 ? (at) => bytes.readFloatLE(at) : (at) => bytes.readDoubleLE(at);
  if (bits === 8) return (at) => (bytes.readUInt8(at) - 128) / 128;
  const full = 2 ** (bits - 1);
  return (at) => bytes.readIntLE(at, bits / 8) / full;
}
