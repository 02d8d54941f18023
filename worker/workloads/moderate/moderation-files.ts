import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moderationClasses } from '@gjm/core/workload/image-moderate.js';
import type { Output } from '../define.js';

/** What was found in one picture. */
export interface Judged {
  /** The file's id. */
  file: string;
  /** By class, in the order of `moderationClasses`. */
  probabilities: Float32Array;
}

/** Writes both results, the pictures in the order they were given in and numbered from 1. */
export async function writeModeration(
  folder: string,
  model: string,
  judged: readonly Judged[],
): Promise<Output[]> {
  const images = judged.map(({ file, probabilities }, index) => {
    const values = Array.from(probabilities, (value) => Number(value.toFixed(6)));
    const best = values.indexOf(Math.max(...values));
    return { image: index + 1, file, class: moderationClasses[best]!, probability: values[best]!, values };
  });
  const entries = images.map(({ values, ...image }) => ({
    ...image,
    probabilities: Object.fromEntries(moderationClasses.map((name, at) => [name, values[at]!])),
  }));
  const json = { model, classes: moderationClasses, images: entries };
  // Our own names and ids only: nothing to quote.
  const rows = images.map((it) => [it.image, it.file, it.class, ...it.values].join(','));
  const csv = [['image', 'file', 'class', ...moderationClasses].join(','), ...rows];
  await writeFile(join(folder, 'moderation.json'), `${JSON.stringify(json, null, 2)}\n`);
  await writeFile(join(folder, 'moderation.csv'), `${csv.join('\r\n')}\r\n`);
  return [
    { name: 'moderation.json', path: 'moderation.json', mediaType: 'application/json' },
    { name: 'moderation.csv', path: 'moderation.csv', mediaType: 'text/csv' },
  ];
}
