import { cutTo, padTo, widthOf } from './width.js';

export interface Column<Row> {
  title: string;
  /** One line without controls or colours. */
  text: (row: Row) => string;
  paint?: ((text: string, row: Row) => string) | undefined;
  /** Set for a column that may be cut on a narrow terminal: the fewest cells it keeps. */
  least?: number;
  /** Set for a column that a terminal narrower than this, in cells, does without. */
  from?: number;
}

const gap = '  ';

/** Takes what is too much from the columns that may be cut, the widest first. */
function fit(widths: number[], least: (number | undefined)[], cells: number): number[] {
  const fitted = [...widths];
  let surplus = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - cells;
  while (surplus > 0) {
    let widest = -1;
    fitted.forEach((width, at) => {
      if (width > (least[at] ?? Infinity) && width > (fitted[widest] ?? -1)) widest = at;
    });
    if (widest < 0) return fitted;
    fitted[widest]! -= 1;
    surplus -= 1;
  }
  return fitted;
}

/**
 * Lines of a table: title, then one for each row. `cells` is the terminal's width; null cuts nothing, which is what files and pipes get.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  cells: number | null,
  paintTitle: (text: string) => string = (text) => text,
): string[] {
  const shown = columns.filter(({ from = 0 }) => cells === null || cells >= from);
  const texts = rows.map((row) => shown.map((column) => column.text(row)));
  const natural = shown.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((line) => widthOf(line[at] ?? ''))),
  );
  const least = shown.map((column) => column.least);
  const widths = cells === null ? natural : fit(natural, least, cells);
  const line = (parts: string[], paint: (text: string, at: number) => string): string =>
    parts
      .map((part, at) => {
        const cut = cutTo(part, widths[at] ?? 0);
        const padding = at === parts.length - 1 ? 0 : (widths[at] ?? 0) - widthOf(cut);
        return paint(cut, at) + ' '.repeat(padding);
      })
      .join(gap)
      .trimEnd();
  const title = line(
    shown.map((column) => column.title),
    (text) => text,
  );
  return [
    paintTitle(title),
    ...rows.map((row, index) =>
      line(texts[index] ?? [], (text, at) => shown[at]?.paint?.(text, row) ?? text),
    ),
  ];
}

/** Lines of `name  value`, the values under each other; pairs without a value are left out. */
export function factLines(
  facts: readonly (readonly [name: string, value: string | null | undefined])[],
  paintName: (text: string) => string = (text) => text,
): string[] {
  const told = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]));
  const width = Math.max(0, ...told.map(([name]) => widthOf(name)));
  return told.map(([name, value]) => `${paintName(padTo(name, width))}  ${value}`);
}
