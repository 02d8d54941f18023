import { usageError } from '../exit.js';

/** Splits `key=value`; the value may hold more equal signs. */
export function pairOf(text: string, option: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${option} takes key=value, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Collects a repeatable option. */
export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

const unitSeconds: Record<string, number> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** A length of time in seconds: `90`, `90s`, `10m`, `2h`, `1d`. */
export function secondsOf(text: string, option: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text) ?? [];
  if (number === undefined)
    throw usageError(`${option} takes a time such as 90, 90s, 10m or 2h, not "${text}".`);
  return Number(number) * (unitSeconds[unit] ?? 1);
}

/** A whole number of at least `least`. */
export function wholeNumberOf(text: string, option: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw usageError(`${option} takes a whole number from ${least}, not "${text}".`);
  return value;
}

const byteUnits: Record<string, number> = {
  '': 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** A size in bytes (`8GB`, `8GiB`, `1e9`); the text itself when it is none, for the server to refuse. */
export function bytesOf(text: string): number | string {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?(?:e\d+)?)\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = byteUnits[unit.toLowerCase()];
  return number === undefined || factor === undefined ? text : Math.round(Number(number) * factor);
}
