import type { Note } from './find-notes.js';

const ticksPerQuarter = 480;
/** 120 quarters a minute: a tick is about a millisecond. */
const microsecondsPerQuarter = 500_000;
const ticksPerSecond = (ticksPerQuarter * 1_000_000) / microsecondsPerQuarter;

/** How hard a key is struck, 1 to 127: the mean probability of the note stands for it. */
export const velocityOf = ({ amplitude }: Note): number =>
  Math.min(127, Math.max(1, Math.round(amplitude * 127)));

interface MidiEvent {
  tick: number;
  bytes: number[];
}

/** A MIDI file of one track, all on channel 1 ("Standard MIDI Files 1.0", MIDI Manufacturers Association, 1996). */
export function midiFile(notes: readonly Note[]): Buffer {
  const track: number[] = [];
  let now = 0;
  for (const { tick, bytes } of eventsOf(notes)) {
    track.push(...variableLength(tick - now), ...bytes);
    now = tick;
  }
  track.push(0, 0xff, 0x2f, 0);
  const header = [...uint32(6), ...uint16(0), ...uint16(1), ...uint16(ticksPerQuarter)];
  return Buffer.concat([
    Buffer.from('MThd'),
    Buffer.from(header),
    Buffer.from('MTrk'),
    Buffer.from(uint32(track.length)),
    Buffer.from(track),
  ]);
}

/** Tempo first, then keys pressed and let go by time; a key is let go before it is pressed again in the same tick. */
function eventsOf(notes: readonly Note[]): MidiEvent[] {
  const tempo: MidiEvent = {
    tick: 0,
    bytes: [0xff, 0x51, 3, ...uint32(microsecondsPerQuarter).slice(1)],
  };
  const keys = notes.flatMap((note): MidiEvent[] => {
    const [on, off] = [note.start, note.end].map((seconds) => Math.round(seconds * ticksPerSecond));
    return [
      { tick: on!, bytes: [0x90, note.pitch, velocityOf(note)] },
      { tick: off!, bytes: [0x80, note.pitch, 0] },
    ];
  });
  return [tempo, ...keys.sort((a, b) => a.tick - b.tick || a.bytes[0]! - b.bytes[0]!)];
}

const uint16 = (value: number): number[] => [value >>> 8, value & 0xff];
const uint32 = (value: number): number[] => [...uint16(value >>> 16), ...uint16(value & 0xffff)];

/** Seven bits a byte, the highest first; all but the last byte have the top bit set. */
function variableLength(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
