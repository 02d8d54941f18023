import { invalidInput, shown } from '../define.js';
import { type Column, encodeRow, isMissing, numberOf, widthOf } from '../model/preprocessing.js';

/**
 * A row as the model takes it, one text per column.
 * @throws WorkloadFailure INVALID_INPUT when a column of numbers holds something else, which training would not have taken for one
 */
export function encodeColumns(
  columns: readonly Column[],
  texts: readonly string[],
  row: number,
): Float32Array {
  const wrong = columns.findIndex(
    ({ type }, index) => type === 'number' && !isMissing(texts[index]!) && numberOf(texts[index]!) === null,
  );
  if (wrong >= 0)
    throw invalidInput(
      `Row ${row}, column ${shown(columns[wrong]!.name)}: ${shown(texts[wrong]!)} is not a number.`,
    );
  const values = new Float32Array(columns.reduce((sum, column) => sum + widthOf(column), 0));
  encodeRow(columns, texts, values, 0);
  return values;
}

/** The sentence for columns that a table model needs and an input lacks. */
export const missingColumns = (missing: readonly Column[], where: string) =>
  invalidInput(
    `${where} has no column ${missing
      .slice(0, 20)
      .map(({ name }) => shown(name))
      .join(', ')}${missing.length > 20 ? ` and ${missing.length - 20} more` : ''}, which the model needs.`,
  );
