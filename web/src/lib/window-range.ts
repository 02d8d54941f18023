/** Which rows of a long list are drawn, and how much room the others take, in px. */
export interface WindowRange {
  /** First row drawn. */
  start: number;
  /** One after the last. */
  end: number;
  before: number;
  after: number;
}

/** Rows of one height, seen through a window that begins `offset` px below the first row's top. */
export function windowRange(
  total: number,
  rowHeight: number,
  offset: number,
  windowHeight: number,
  overscan: number,
): WindowRange {
  const seen = Math.ceil(windowHeight / rowHeight);
  const first = Math.floor(Math.max(0, offset) / rowHeight);
  const start = Math.max(0, Math.min(first - overscan, total - seen - overscan));
  const end = Math.min(total, Math.max(first, start) + seen + overscan + 1);
  return { start, end, before: start * rowHeight, after: (total - end) * rowHeight };
}
