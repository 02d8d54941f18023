const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Decimal units, two or three digits: `812 B`, `3.1 kB`, `11.2 MB`. Sizes above 2^53 come as decimal text. */
export function sizeOf(bytes: number | string): string {
  let value = Number(bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toPrecision(value < 9.95 ? 2 : 3)} ${units[unit]}`;
}
