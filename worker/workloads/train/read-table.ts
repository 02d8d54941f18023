import { type ModelTrainParams, trainLimits } from '@gjm/core/workload/model-train.js';
import { invalidInput, type WorkloadContext, shown } from '../define.js';
import { type Column, encodeRow, isMissing, numberOf, widthOf } from '../model/preprocessing.js';
import { addToProfile, categoriesOf, type ColumnProfile, newProfile } from '../table/profile.js';
import { type CsvHeader, csvRows, readCsvHeader } from '../table/read-csv.js';
import type { Examples } from './examples.js';
import { splitExamples } from './seeded.js';

/** A stop is noticed, and the supervisor heard, every so many rows. */
const rowsPerTurn = 2_000;

type Context = WorkloadContext<ModelTrainParams>;

/**
 * A CSV file as examples, in two passes: the first learns what each column is, the second fills the table, so that memory holds only what
 * is learned from. Numbers are brought to mean 0 and deviation 1 as the training rows have them.
 * @throws WorkloadFailure INVALID_INPUT with one sentence
 */
export async function readTable(path: string, context: Context): Promise<Examples> {
  const { params } = context;
  const header = await readCsvHeader(path);
  const labelAt = findLabel(header, params.label);
  const profiles = await profileRows(path, header, labelAt, context);
  const label = profiles[labelAt]!;
  const classes = classesOf(label);
  const count = [...label.counts.values()].reduce((sum, rows) => sum + rows, 0);
  const split = splitExamples(count, params.seed, params.validationSplit, params.maxExamples);
  const columns = columnsOf(profiles.filter((_, index) => index !== labelAt));
  const width = columns.reduce((sum, column) => sum + widthOf(column), 0);
  if (split.chosen.length * width > trainLimits.cells)
    throw invalidInput(
      `The table is too large: ${split.chosen.length} rows × ${width} inputs, at most ${trainLimits.cells} numbers; set maxExamples.`,
    );
  await context.print(
    `${count} rows with a label, ${header.names.length - 1} columns → ${width} inputs, ${classes.length} classes of ${shown(label.name)}`,
  );
  const table = {
    labels: new Uint16Array(split.chosen.length),
    values: new Float32Array(split.chosen.length * width),
  };
  await fillRows(
    { path, header, labelAt, columns, width, classes, count, chosen: split.chosen, ...table },
    context,
  );
  standardize(columns, table.values, width, split.trainingCount);
  return {
    ...table,
    scale: 1,
    shape: [width],
    classes,
    trainingCount: split.trainingCount,
    preprocessing: { type: 'table', label: label.name, columns },
  };
}

function findLabel({ names }: CsvHeader, label: string | undefined): number {
  if (names.length < 2)
    throw invalidInput('The CSV file has one column only: it needs a label and something to tell it from.');
  const at = label === undefined ? names.length - 1 : names.indexOf(label);
  if (at >= 0) return at;
  const known = names.slice(0, 20).map(shown).join(', ');
  throw invalidInput(`The CSV file has no column ${shown(label!)} for the label. It has ${known}.`);
}

async function profileRows(path: string, header: CsvHeader, labelAt: number, context: Context) {
  const profiles = header.names.map((name) => newProfile(name, header.names.length));
  // The label's texts become classes: each is counted, up to more than there may be.
  profiles[labelAt]!.mostCounted = trainLimits.classes + 1;
  let rows = 0;
  for await (const row of csvRows(path, header)) {
    if (++rows % rowsPerTurn === 0) await takeTurn(context);
    if (rows > trainLimits.rows) throw invalidInput(`The CSV file has more than ${trainLimits.rows} rows.`);
    // A row without a label teaches nothing, so it does not shape the columns either.
    if (isMissing(row[labelAt]!)) addToProfile(profiles[labelAt]!, '');
    else for (const [index, profile] of profiles.entries()) addToProfile(profile, row[index]!);
  }
  const without = profiles[labelAt]!.missing;
  if (without > 0) await context.print(`${without} rows have no label and are left out`);
  return profiles;
}

function classesOf({ name, counts, hasMore, isNumeric }: ColumnProfile): string[] {
  if (counts.size < 2 && !hasMore)
    throw invalidInput(`The label ${shown(name)} has fewer than two different values.`);
  if (hasMore || counts.size > trainLimits.classes)
    throw invalidInput(
      `The label ${shown(name)} has more than ${trainLimits.classes} different values, or very long ones: it does not look like classes.`,
    );
  const classes = [...counts.keys()];
  return isNumeric ? classes.sort((a, b) => numberOf(a)! - numberOf(b)!) : classes.sort();
}

/** Means and deviations are filled in when the rows are known. A column without any value says nothing and is left out of the sums. */
function columnsOf(profiles: ColumnProfile[]): Column[] {
  const told = profiles.map((profile): Column => {
    const { name } = profile;
    return profile.isNumeric
      ? { type: 'number', name, mean: 0, deviation: 1 }
      : { type: 'category', name, ...categoriesOf(profile) };
  });
  if (profiles.every(({ counts, hasMore }) => counts.size === 0 && !hasMore))
    throw invalidInput('The CSV file has no values but the label.');
  return told;
}

interface Filling {
  path: string;
  header: CsvHeader;
  labelAt: number;
  columns: Column[];
  width: number;
  classes: string[];
  /** Rows with a label. */
  count: number;
  chosen: Uint32Array;
  labels: Uint16Array;
  values: Float32Array;
}

async function fillRows(filling: Filling, context: Context): Promise<void> {
  const { path, header, labelAt, columns, width, classes, count, chosen, labels, values } = filling;
  const placeOf = new Int32Array(count).fill(-1);
  for (const [place, row] of chosen.entries()) placeOf[row] = place;
  const classOf = new Map(classes.map((name, index) => [name, index]));
  let [labelled, rows] = [0, 0];
  for await (const row of csvRows(path, header)) {
    if (++rows % rowsPerTurn === 0) await takeTurn(context);
    if (isMissing(row[labelAt]!)) continue;
    const place = placeOf[labelled++]!;
    if (place < 0) continue;
    const [label] = row.splice(labelAt, 1);
    labels[place] = classOf.get(label!.trim())!;
    encodeRaw(columns, row, values, place * width);
  }
}

/** Missing numbers stay NaN until the means are known. */
function encodeRaw(
  columns: readonly Column[],
  row: readonly string[],
  values: Float32Array,
  offset: number,
): void {
  encodeRow(columns, row, values, offset);
  let at = offset;
  for (const [index, column] of columns.entries()) {
    if (column.type === 'number' && isMissing(row[index]!)) values[at] = NaN;
    at += widthOf(column);
  }
}

/** Sets each number column's mean and deviation from the training rows, and brings all rows to them. */
function standardize(columns: Column[], values: Float32Array, width: number, trainingCount: number): void {
  let at = 0;
  for (const column of columns) {
    if (column.type === 'number') {
      Object.assign(column, momentsOf(values, at, width, trainingCount));
      for (let index = at; index < values.length; index += width) {
        const value = values[index]!;
        values[index] = Number.isNaN(value) ? 0 : (value - column.mean) / column.deviation;
      }
    }
    at += widthOf(column);
  }
}

function momentsOf(
  values: Float32Array,
  at: number,
  width: number,
  rows: number,
): { mean: number; deviation: number } {
  let [count, mean, squares] = [0, 0, 0];
  // Welford's method (1962): one pass, without the cancellation of sums of squares.
  for (let index = at; index < rows * width; index += width) {
    const value = values[index]!;
    if (Number.isNaN(value)) continue;
    const distance = value - mean;
    mean += distance / ++count;
    squares += distance * (value - mean);
  }
  const deviation = Math.sqrt(squares / Math.max(1, count));
  return { mean, deviation: deviation > 0 ? deviation : 1 };
}

async function takeTurn(context: Context): Promise<void> {
  await context.yieldNow();
  context.stopIfAsked();
}
