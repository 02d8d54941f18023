import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelTrainParams } from '@gjm/core/workload/model-train.js';
import type { Examples } from './examples.js';
import { splitExamples } from './seeded.js';

const side = 28;
const size = side * side;
const classes = Array.from({ length: 10 }, (_, digit) => String(digit));

/** Reading takes seconds and the result 8 MB, so a runner keeps it. */
let read: Promise<Uint8Array[]> | undefined;

/** The 10,000 digits of the package `mnist`, a part of the MNIST set (LeCun, Cortes, Burges): white on black, 28×28, 8 bits. */
export async function readDigits(params: ModelTrainParams): Promise<Examples> {
  const digits = await (read ??= Promise.all(classes.map(readDigit)));
  const pictures = digits.flatMap((values, label) =>
    Array.from({ length: values.length / size }, (_, index) => ({ label, values, from: index * size })),
  );
  const { seed, validationSplit, maxExamples } = params;
  const { chosen, trainingCount } = splitExamples(pictures.length, seed, validationSplit, maxExamples);
  const values = new Uint8Array(chosen.length * size);
  const labels = new Uint16Array(chosen.length);
  for (const [place, index] of chosen.entries()) {
    const picture = pictures[index]!;
    values.set(picture.values.subarray(picture.from, picture.from + size), place * size);
    labels[place] = picture.label;
  }
  const preprocessing = { type: 'image', width: side, height: side, channels: 1 } as const;
  return { values, scale: 1 / 255, shape: [side, side, 1], labels, classes, trainingCount, preprocessing };
}

/** One digit's pictures. The package writes samples as numbers of 0 to 1 with three decimals. */
async function readDigit(digit: string): Promise<Uint8Array> {
  const folder = dirname(createRequire(import.meta.url).resolve('mnist/package.json'));
  const { data } = JSON.parse(await readFile(join(folder, 'src', 'digits', `${digit}.json`), 'utf8')) as {
    data: number[];
  };
  return Uint8Array.from(data, (value) => Math.round(value * 255));
}
