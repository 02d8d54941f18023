/**
 * Text from outside is hostile: Postgres refuses NUL, JSON refuses lone surrogates, and pages have no use for a megabyte of name.
 * Returns well-formed Unicode of at most `maxLength` UTF-16 units, cut at a code point, NUL and lone surrogates shown as U+FFFD.
 */
export function cleanText(text: string, maxLength: number): string {
  const wellFormed = text
    .slice(0, maxLength + 1)
    // eslint-disable-next-line no-control-regex -- NUL is exactly what must go
    .replace(/\u0000/g, '\uFFFD');
  const cut =
    wellFormed.length > maxLength
      ? wellFormed.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
      : wellFormed;
  return cut.toWellFormed();
}

/** A copy of a JSON value in which every string and key is fit to store. Nothing is cut: how long a text may be is its schema's to say. */
export function cleanJson<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value, value.length) as T;
  if (Array.isArray(value)) return value.map((item) => cleanJson(item as unknown)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key, key.length), cleanJson(item as unknown)]),
  ) as T;
}
