import { createCipheriv, createHash } from 'node:crypto';

/**
 * The numbers 0 to count - 1 in an order that depends on `seed` and `purpose` alone, the same on every machine: Fisher and Yates' shuffle
 * (Durstenfeld, 1964), with AES in counter mode as the source of random numbers.
 */
export function shuffled(count: number, seed: number, purpose: string): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  const key = createHash('sha256').update(`${seed}:${purpose}`).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(4 * count));
  for (let last = count - 1; last > 0; last--) {
    // 32 bits for at most a few million places: the bias is below one in a thousand.
    const other = stream.readUInt32LE(4 * last) % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** Which examples are taken, by their place in the data: those to learn from, then those held out. */
export interface Split {
  chosen: Uint32Array;
  /** How many of `chosen`, from the start, are for training. */
  trainingCount: number;
}

/** Draws at most `most` of `count` examples and holds `share` of them out; at least one is left to learn from. */
export function splitExamples(count: number, seed: number, share: number, most = Infinity): Split {
  const chosen = shuffled(count, seed, 'split').slice(0, most);
  const heldOut = share === 0 ? 0 : Math.max(1, Math.round(chosen.length * share));
  return { chosen, trainingCount: Math.max(1, chosen.length - heldOut) };
}
