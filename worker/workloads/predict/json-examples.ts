import { readFile, stat } from 'node:fs/promises';
import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, shown } from '../define.js';
import type { TablePreprocessing } from '../model/preprocessing.js';
import { encodeColumns, missingColumns } from './encode-columns.js';
import type { Example, ExampleSource } from './example.js';
import type { Predictor } from './predictor.js';

/**
 * Rows of a JSON file: a list, or `{ "instances": list }`. For a model that was trained on a table, each row is an object by column names or
 * a list in the order of the columns; else a list of numbers, flat or nested as the model's input is.
 * @throws WorkloadFailure INVALID_INPUT with the place of the value that is at fault
 */
export async function openJson(path: string, predictor: Predictor): Promise<ExampleSource> {
  const { size } = await stat(path);
  if (size > predictLimits.jsonBytes)
    throw invalidInput(
      `The JSON file has ${size} bytes, at most ${predictLimits.jsonBytes}; a CSV file may be larger.`,
    );
  const rows = rowsOf(parse(await readFile(path)));
  return { count: rows.length, what: `${rows.length} rows of JSON`, read: () => readRows(rows, predictor) };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8 text';
    throw invalidInput(`The JSON file can not be read: ${shown(why)}.`, error);
  }
}

function rowsOf(json: unknown): unknown[] {
  const isWrapped = typeof json === 'object' && json !== null && 'instances' in json;
  const rows: unknown = isWrapped ? json.instances : json;
  if (Array.isArray(rows)) return rows as unknown[];
  throw invalidInput('The JSON file must be a list of rows, or an object with such a list as "instances".');
}

async function* readRows(rows: readonly unknown[], predictor: Predictor): AsyncGenerator<Example> {
  const { preprocessing, model, inputValues } = predictor;
  for (const [index, row] of rows.entries()) {
    const name = index + 1;
    if (preprocessing?.type === 'table') yield { name, values: tableRow(preprocessing, row, name) };
    else yield { name, values: numbers(row, model.inputShape, inputValues, name) };
  }
}

function tableRow({ columns }: TablePreprocessing, row: unknown, number: number): Float32Array {
  if (Array.isArray(row)) {
    if (row.length !== columns.length)
      throw invalidInput(
        `Row ${number} has ${row.length} values, but the model takes ${columns.length} columns.`,
      );
  } else if (typeof row === 'object' && row !== null) {
    const missing = columns.filter(({ name }) => !Object.hasOwn(row, name));
    if (missing.length > 0) throw missingColumns(missing, `Row ${number}`);
  } else throw invalidInput(`Row ${number} is neither a list nor an object.`);
  const values = Array.isArray(row)
    ? (row as unknown[])
    : columns.map(({ name }) => (row as Record<string, unknown>)[name]);
  const texts = values.map((value, index) => textOf(value, number, columns[index]!.name));
  return encodeColumns(columns, texts, number);
}

/** As a CSV file would write it, so that a model sees the same. */
function textOf(value: unknown, row: number, column: string): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw invalidInput(`Row ${row}, column ${shown(column)}: the value is neither a text nor a number.`);
}

function numbers(row: unknown, shape: readonly number[], values: number, number: number): Float32Array {
  const target = new Float32Array(values);
  const isFlat = Array.isArray(row) && row.length === values && !Array.isArray(row[0]);
  const isScalar = values === 1 && !Array.isArray(row);
  fill(row, isScalar ? [] : isFlat ? [values] : shape, target, { at: 0, path: [number - 1] });
  return target;
}

/** Copies nested lists of exactly this shape. `path` leads to `value`, counted from 0. */
function fill(
  value: unknown,
  shape: readonly number[],
  target: Float32Array,
  place: { at: number; path: number[] },
): void {
  const length = shape[place.path.length - 1];
  if (length === undefined) {
    if (typeof value !== 'number' || !Number.isFinite(Math.fround(value)))
      throw wrongAt(place.path, 'is not a number');
    target[place.at++] = value;
    return;
  }
  if (!Array.isArray(value) || value.length !== length)
    throw wrongAt(place.path, `is not a list of ${length}, as the model takes it: [${shape.join(', ')}]`);
  for (let index = 0; index < length; index++) {
    place.path.push(index);
    fill(value[index], shape, target, place);
    place.path.pop();
  }
}

const wrongAt = (path: readonly number[], what: string) =>
  invalidInput(`Row ${path[0]! + 1}: the value at [${path.join('][')}] ${what}.`);
