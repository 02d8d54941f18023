/** Zero crossings of the filter on each side: the more, the steeper. */
const crossings = 32;
/** Where the filter's slope is centred, as a share of the lower of both Nyquist frequencies. */
const rollOff = 0.945;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/**
 * Changes the sample rate of a sound that comes block by block. Each new sample is the old ones under a windowed sinc: a low-pass below
 * half of the lower rate, so that nothing folds back (J. O. Smith, "Digital Audio Resampling", band-limited interpolation).
 */
export class Resampler {
  /** New samples per `down` old ones. */
  readonly #up: number;
  readonly #down: number;
  readonly #half: number;
  /** Filter values by phase: 2 · half for each of `up` places between two old samples. */
  readonly #taps: Float32Array;
  /** Old samples that are still needed; the first is number `#first` of all, which begin with silence. */
  #waiting: Float32Array;
  #first: number;
  #made = 0;
  #heard = 0;

  /** @param from old rate @param to new rate, both whole numbers */
  constructor(from: number, to: number) {
    const common = gcd(from, to);
    this.#up = to / common;
    this.#down = from / common;
    const cutoff = Math.min(1, to / from) * rollOff;
    this.#half = Math.ceil(crossings / cutoff);
    this.#taps = makeTaps(this.#up, this.#half, cutoff);
    this.#waiting = new Float32Array(this.#half);
    this.#first = -this.#half;
  }

  /** Takes a block and gives all new samples that it decides. */
  push(block: Float32Array): Float32Array {
    this.#heard += block.length;
    const joined = new Float32Array(this.#waiting.length + block.length);
    joined.set(this.#waiting);
    joined.set(block, this.#waiting.length);
    this.#waiting = joined;
    // The last old sample that the filter may be centred before.
    const end = this.#first + joined.length - this.#half;
    return this.#make(Math.max(this.#made, Math.ceil((end * this.#up) / this.#down)));
  }

  /** The rest, as if silence followed. */
  finish(): Float32Array {
    const total = Math.ceil((this.#heard * this.#up) / this.#down);
    const padded = new Float32Array(this.#waiting.length + 2 * this.#half);
    padded.set(this.#waiting);
    this.#waiting = padded;
    return this.#make(total);
  }

  /** New samples up to number `until`; forgets the old ones that no later one needs. */
  #make(until: number): Float32Array {
    const made = new Float32Array(until - this.#made);
    const width = 2 * this.#half;
    for (let index = 0; index < made.length; index++) {
      const position = (this.#made + index) * this.#down;
      const centre = Math.floor(position / this.#up);
      const tap = (position - centre * this.#up) * width;
      const from = centre - this.#half + 1 - this.#first;
      let sum = 0;
      for (let k = 0; k < width; k++) sum += this.#waiting[from + k]! * this.#taps[tap + k]!;
      made[index] = sum;
    }
    this.#made = until;
    const needed = Math.floor((until * this.#down) / this.#up) - this.#half + 1;
    const drop = Math.min(this.#waiting.length, Math.max(0, needed - this.#first));
    this.#waiting = this.#waiting.slice(drop);
    this.#first += drop;
    return made;
  }
}

/** A Blackman window keeps what the filter lets past its slope below -70 dB. */
function makeTaps(phases: number, half: number, cutoff: number): Float32Array {
  const taps = new Float32Array(phases * 2 * half);
  for (let phase = 0; phase < phases; phase++) {
    for (let k = 0; k < 2 * half; k++) {
      const away = k - half + 1 - phase / phases;
      const at = Math.abs(away) / half;
      const window = at >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * at) + 0.08 * Math.cos(2 * Math.PI * at);
      const x = Math.PI * away * cutoff;
      taps[phase * 2 * half + k] = cutoff * (x === 0 ? 1 : Math.sin(x) / x) * window;
    }
  }
  return taps;
}
