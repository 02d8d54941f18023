import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Output } from '../define.js';
import { csvCell } from './csv-cell.js';
import type { Example } from './example.js';

type Names = readonly Example['name'][];

const names = { csv: 'predictions.csv', json: 'predictions.json' };

/** Writes both results as they come, so that memory never holds more than a batch. Names and labels in the JSON file are as they are. */
export class PredictionFiles {
  readonly #folder: string;
  readonly #labels: readonly string[] | null;
  readonly #width: number;
  readonly #csv: FileHandle;
  readonly #json: FileHandle;
  #isFirst = true;

  private constructor(
    folder: string,
    labels: readonly string[] | null,
    width: number,
    files: { csv: FileHandle; json: FileHandle },
  ) {
    this.#folder = folder;
    this.#labels = labels;
    this.#width = width;
    this.#csv = files.csv;
    this.#json = files.json;
  }

  /** `width` numbers per example: probabilities of `labels`, or anything when that is null. */
  static async open(
    folder: string,
    labels: readonly string[] | null,
    width: number,
  ): Promise<PredictionFiles> {
    const csv = await open(join(folder, `${names.csv}.part`), 'w');
    const json = await open(join(folder, `${names.json}.part`), 'w');
    const files = new PredictionFiles(folder, labels, width, { csv, json });
    await files.#writeHeads();
    return files;
  }

  /** Adds examples, with `width` numbers of `values` for each. */
  async write(examples: Names, values: ArrayLike<number>): Promise<void> {
    const rows = examples.map((name, index) => {
      const from = index * this.#width;
      return { name, values: Array.from({ length: this.#width }, (_, place) => values[from + place]!) };
    });
    const best = rows.map((row) => mostProbable(row.values));
    await this.#csv.appendFile(
      rows.map((row, index) => this.#csvRow(row.name, row.values, best[index]!)).join(''),
    );
    const texts = rows.map((row, index) => this.#jsonRow(row.name, row.values, best[index]!));
    await this.#json.appendFile((this.#isFirst ? '\n' : ',\n') + texts.join(',\n'));
    this.#isFirst = false;
  }

  /** Ends both files and gives them their names. */
  async finish(): Promise<Output[]> {
    await this.#json.appendFile('\n]}\n');
    await this.close();
    for (const name of Object.values(names))
      await rename(join(this.#folder, `${name}.part`), join(this.#folder, name));
    return [
      { name: names.csv, path: names.csv, mediaType: 'text/csv' },
      { name: names.json, path: names.json, mediaType: 'application/json' },
    ];
  }

  async close(): Promise<void> {
    await this.#csv.close();
    await this.#json.close();
  }

  async #writeHeads(): Promise<void> {
    const columns = this.#labels
      ? ['label', 'probability', ...this.#labels.map((label) => csvCell(`p:${label}`))]
      : Array.from({ length: this.#width }, (_, index) => (this.#width === 1 ? 'value' : `value_${index}`));
    await this.#csv.appendFile(`example,${columns.join(',')}\r\n`);
    const labels = this.#labels ? `"labels":${JSON.stringify(this.#labels)},` : '';
    await this.#json.appendFile(`{${labels}"predictions":[`);
  }

  #csvRow(name: Example['name'], values: number[], best: number): string {
    const told = this.#labels
      ? [csvCell(this.#labels[best] ?? ''), best < 0 ? '' : shortest(values[best]!)]
      : [];
    const cells = [typeof name === 'number' ? name : csvCell(name), ...told, ...values.map(shortest)];
    return `${cells.join(',')}\r\n`;
  }

  #jsonRow(name: Example['name'], values: number[], best: number): string {
    const numbers = values.map(shortest);
    const told = this.#labels
      ? {
          label: this.#labels[best] ?? null,
          probability: numbers[best] ?? null,
          probabilities: numbers,
        }
      : { values: numbers };
    return JSON.stringify({ example: name, ...told });
  }
}

/** Place of the largest value, or -1 when none is a number. */
function mostProbable(values: readonly number[]): number {
  let best = -1;
  for (const [index, value] of values.entries())
    if (!Number.isNaN(value) && (best < 0 || value > values[best]!)) best = index;
  return best;
}

/** Nine digits tell every float32 from its neighbours; more would only look exact. JSON has no word for NaN and writes null. */
const shortest = (value: number): number => Number(value.toPrecision(9));
