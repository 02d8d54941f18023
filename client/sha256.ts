/** A running SHA-256. Node's own is quicker and is used there; browsers only offer one for whole buffers. */
export interface Digest {
  update(bytes: Uint8Array): void;
  /** Lower-case hex; call once, at the end. */
  hex(): string;
}

/** The first 32 bits of the fractional parts of `root(prime)`, for the first `count` primes: how the standard defines its constants. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const words = new Int32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++)
      if (candidate % divisor === 0) isPrime = false;
    if (isPrime) words[found++] = (root(candidate) % 1) * 2 ** 32;
  }
  return words;
}

const initial = fractions(8, Math.sqrt);
const constants = fractions(64, Math.cbrt);
const blockBytes = 64;

type Eight = [number, number, number, number, number, number, number, number];

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 in plain JavaScript, one block at a time, in constant memory. */
export class PlainSha256 implements Digest {
  readonly #state = Int32Array.from(initial);
  readonly #block = new Uint8Array(blockBytes);
  readonly #view = new DataView(this.#block.buffer);
  readonly #words = new Int32Array(64);
  #filled = 0;
  #total = 0;

  update(bytes: Uint8Array): void {
    this.#total += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === blockBytes) this.#compress();
    }
  }

  hex(): string {
    const bits = BigInt(this.#total) * 8n;
    const padding = new Uint8Array(1 + ((blockBytes + 55 - this.#filled) % blockBytes));
    padding[0] = 0x80;
    this.update(padding);
    const length = new DataView(new ArrayBuffer(8));
    length.setBigUint64(0, bits);
    this.update(new Uint8Array(length.buffer));
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }

  #expand(): Int32Array {
    const words = this.#words;
    for (let i = 0; i < 16; i++) words[i] = this.#view.getInt32(i * 4);
    for (let i = 16; i < 64; i++) {
      const early = words[i - 15]!;
      const late = words[i - 2]!;
      const mixEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const mixLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[i] = words[i - 16]! + mixEarly + words[i - 7]! + mixLate;
    }
    return words;
  }

  #compress(): void {
    const words = this.#expand();
    const state = this.#state;
    let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
    for (let i = 0; i < 64; i++) {
      const mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const added = (h + mixE + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
      // One by one: shifting all eight by a destructuring assignment is several times slower.
      h = g;
      g = f;
      f = e;
      e = (d + added) | 0;
      d = c;
      const carried = (mixA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      c = b;
      b = a;
      a = (added + carried) | 0;
    }
    const next: Eight = [a, b, c, d, e, f, g, h];
    for (let i = 0; i < 8; i++) state[i] = state[i]! + next[i]!;
    this.#filled = 0;
  }
}
