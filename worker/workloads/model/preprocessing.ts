import { z } from 'zod';

/** How a table's column becomes numbers. A missing value becomes the mean, or no category at all. */
const columnSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('number'),
    name: z.string(),
    mean: z.number(),
    deviation: z.number().positive(),
  }),
  z.object({
    type: z.literal('category'),
    name: z.string(),
    /** One input each, in this order. */
    values: z.array(z.string()),
    /** One more input for every other value. */
    hasOther: z.boolean(),
  }),
]);
export type Column = z.infer<typeof columnSchema>;

/** What happens to an example before the model sees it. It is stored with the model, so that `model.predict` does the same. */
export const preprocessingSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('image'),
    /** Cut to this shape from the middle and scaled, in pixels. */
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    /** 1: grey, 3: sRGB; samples of 0 to 255 are divided by 255. */
    channels: z.union([z.literal(1), z.literal(3)]),
  }),
  z.object({ type: z.literal('table'), label: z.string(), columns: z.array(columnSchema).min(1) }),
]);
export type Preprocessing = z.infer<typeof preprocessingSchema>;
export type TablePreprocessing = Extract<Preprocessing, { type: 'table' }>;
export type ImagePreprocessing = Extract<Preprocessing, { type: 'image' }>;

/** How many numbers a column becomes. */
export const widthOf = (column: Column): number =>
  column.type === 'number' ? 1 : column.values.length + (column.hasOther ? 1 : 0);

/** Texts that stand for "no value", in lower case. */
const missingTexts = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?']);

export const isMissing = (text: string): boolean => missingTexts.has(text.trim().toLowerCase());

/** The number a text writes, as float32 can hold it, or null: a decimal point, an exponent, no thousands separators. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(Math.fround(value)) ? value : null;
}

/** Writes a row's numbers, one text per column in their order, into `target` from `offset` on. */
export function encodeRow(
  columns: readonly Column[],
  texts: readonly string[],
  target: Float32Array,
  offset: number,
): void {
  let at = offset;
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? '';
    if (column.type === 'number') {
      const value = isMissing(text) ? null : numberOf(text);
      target[at] = value === null ? 0 : (value - column.mean) / column.deviation;
    } else if (!isMissing(text)) {
      const place = column.values.indexOf(text.trim());
      if (place >= 0) target[at + place] = 1;
      else if (column.hasOther) target[at + column.values.length] = 1;
    }
    at += widthOf(column);
  }
}
