import { invalidInput, shown } from '../define.js';
import { numberOf, type TablePreprocessing } from '../model/preprocessing.js';
import { type CsvHeader, csvRows, readCsvHeader } from '../table/read-csv.js';
import { encodeColumns, missingColumns } from './encode-columns.js';
import type { Example, ExampleSource } from './example.js';
import type { Predictor } from './predictor.js';

/** A stop is noticed every so many rows while they are counted. */
const rowsPerTurn = 2_000;

/**
 * Rows of a CSV file: by the names of columns for a model that was trained on a table, else as many numbers as the model takes.
 * @throws WorkloadFailure INVALID_INPUT with one sentence
 */
export async function openCsv(
  path: string,
  { preprocessing, inputValues }: Predictor,
  takeTurn: () => Promise<void>,
): Promise<ExampleSource> {
  const header = await readCsvHeader(path);
  const encode =
    preprocessing?.type === 'table'
      ? byName(header, preprocessing)
      : (row: readonly string[], number: number) => asNumbers(header, row, number);
  if (preprocessing?.type !== 'table' && header.names.length !== inputValues)
    throw invalidInput(
      `The CSV file has ${header.names.length} columns, but the model takes ${inputValues} numbers per example.`,
    );
  let count = 0;
  for await (const _ of csvRows(path, header)) if (++count % rowsPerTurn === 0) await takeTurn();
  return { count, what: `${count} rows of CSV`, read: () => readRows(path, header, encode) };
}

type Encode = (row: readonly string[], number: number) => Float32Array;

async function* readRows(path: string, header: CsvHeader, encode: Encode): AsyncGenerator<Example> {
  let number = 0;
  for await (const row of csvRows(path, header)) yield { name: ++number, values: encode(row, number) };
}

/** Other columns, such as the label, may be there as well. */
function byName({ names }: CsvHeader, { columns }: TablePreprocessing): Encode {
  const places = columns.map(({ name }) => names.indexOf(name));
  const missing = columns.filter((_, index) => places[index] === -1);
  if (missing.length > 0) throw missingColumns(missing, 'The CSV file');
  return (row, number) =>
    encodeColumns(
      columns,
      places.map((place) => row[place]!),
      number,
    );
}

function asNumbers({ names }: CsvHeader, row: readonly string[], number: number): Float32Array {
  return Float32Array.from(row, (text, index) => {
    const value = numberOf(text);
    if (value === null)
      throw invalidInput(`Row ${number}, column ${shown(names[index]!)}: ${shown(text)} is not a number.`);
    return value;
  });
}
