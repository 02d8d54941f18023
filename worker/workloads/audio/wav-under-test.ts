import type { WavFacts } from './wav-header.js';

/** How a WAV file for a test is written; what is said of it may be overridden to lie. */
export type WavForm = Pick<WavFacts, 'encoding' | 'bits' | 'channels' | 'rate'>;

/** A WAV file of these samples (-1 to 1), the same on every channel. `patch` changes bytes of its 44-byte header before it is returned. */
export function wavFile(
  samples: Float32Array,
  { encoding, bits, channels, rate }: WavForm,
  patch: (header: Buffer) => void = () => undefined,
): Buffer {
  const sampleBytes = bits / 8;
  const data = Buffer.alloc(samples.length * channels * sampleBytes);
  samples.forEach((sample, frame) => {
    for (let channel = 0; channel < channels; channel++)
      writeSample(data, (frame * channels + channel) * sampleBytes, sample, encoding, bits);
  });
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(encoding === 'float' ? 3 : 1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * sampleBytes, 28);
  header.writeUInt16LE(channels * sampleBytes, 32);
  header.writeUInt16LE(bits, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  patch(header);
  return Buffer.concat([header, data]);
}

function writeSample(data: Buffer, at: number, sample: number, encoding: string, bits: number): void {
  if (encoding === 'float') {
    if (bits === 32) data.writeFloatLE(sample, at);
    else data.writeDoubleLE(sample, at);
    return;
  }
  const full = 2 ** (bits - 1);
  const value = Math.max(-full, Math.min(full - 1, Math.round(sample * full)));
  if (bits === 8) data.writeUInt8(value + 128, at);
  else data.writeIntLE(value, at, bits / 8);
}

/** A tone that lies somewhere in a recording. */
interface Tone {
  pitch: number;
  start: number;
  end: number;
}

/** Sines with soft edges of 5 ms, so that no click is heard besides. */
export function playTones(tones: readonly Tone[], seconds: number, rate: number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * rate));
  for (const { pitch, start, end } of tones) {
    const step = (2 * Math.PI * 440 * 2 ** ((pitch - 69) / 12)) / rate;
    const [from, to] = [Math.round(start * rate), Math.round(end * rate)];
    const edge = 0.005 * rate;
    for (let at = from; at < to; at++) {
      const loudness = 0.4 * Math.min(1, (at - from) / edge, (to - at) / edge);
      samples[at] = (samples[at] ?? 0) + loudness * Math.sin(step * (at - from));
    }
  }
  return samples;
}
