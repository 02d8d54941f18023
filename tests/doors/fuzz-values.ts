/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The same numbers from the same seed, in [0, 1): mulberry32, a public domain generator by Tommy Ettinger. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Choices that are the same for the same seed. */
export class Dice {
  readonly random: () => number;
  constructor(seed: number) {
    this.random = createRandom(seed);
  }
  below = (limit: number): number => Math.floor(this.random() * limit);
  isLucky = (share: number): boolean => this.random() < share;
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

const oddTexts = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00',
    '\u202e',
    '🎉'.repeat(50),
    'x'.repeat(5_000),
    "' OR 1=1 --",
    '"; DROP TABLE jobs',
  ],
  ...[
    '../../etc/passwd',
    '%00',
    '%2e%2e%2f',
    '${7*7}',
    '<script>',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'constructor',
  ],
  ...[
    '-0',
    '1e400',
    'NaN',
    '0x10',
    '१२३',
    '\r\nset-cookie: a=b',
    '\n',
    '\\',
    '{}',
    '[]',
    'true',
    'job_',
    'upl_',
    'job_0000000000000000000000000',
  ],
];
export const oddNumbers = [
  0,
  -1,
  -0,
  1,
  0.5,
  1e9,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
  5e-324,
];
export const nouns = ['job', 'att', 'art', 'upl', 'usr', 'dev', 'wrk', 'ses', 'dec', 'xyz', ''];

export const oddText = (dice: Dice): string =>
  dice.isLucky(0.7)
    ? dice.pick(oddTexts)
    : Array.from({ length: dice.below(60) }, () => String.fromCharCode(dice.below(0x300))).join('');

/** Something like an id, seldom a good one. */
export function oddId(dice: Dice): string {
  const digits = Array.from({ length: 24 + dice.below(4) }, () =>
    dice.pick([...'0123456789abcdefghjkmnpqrstvwxyzILOU_-']),
  ).join('');
  return dice.isLucky(0.3) ? oddText(dice) : `${dice.pick(nouns)}_0${digits}`;
}

/** Any JSON, a few levels deep. */
export function oddJson(dice: Dice, depth = 0): Json {
  const kind = dice.below(depth > 4 ? 4 : 6);
  if (kind === 0) return dice.pick([null, true, false]);
  if (kind === 1) return dice.pick(oddNumbers);
  if (kind === 2) return oddText(dice);
  if (kind === 3) return oddId(dice);
  const items = Array.from({ length: dice.below(4) }, () => oddJson(dice, depth + 1));
  return kind === 4
    ? items
    : Object.fromEntries(items.map((item, i) => [dice.isLucky(0.2) ? oddText(dice) : `k${i}`, item]));
}
