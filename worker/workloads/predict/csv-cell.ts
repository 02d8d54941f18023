import { numberOf } from '../model/preprocessing.js';

/**
 * A text from outside (a file's name, a label) as one cell of a CSV file, quoted by RFC 4180. Where a spreadsheet would take it for a formula
 * (it begins, after blanks, with = + - @ or their wide forms, or with a tab or line break), an apostrophe is put in front, which spreadsheets
 * show as plain text; a plain number such as -1 stays itself.
 */
export function csvCell(text: string): string {
  const isFormula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(text) && numberOf(text) === null;
  const safe = isFormula ? `'${text}` : text;
  return isFormula || /[",;\r\n\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
