import { readFile } from 'node:fs/promises';
import { isLitter } from '../archive/litter.js';
import { openZip } from '../archive/open-zip.js';
import { invalidInput, shown } from '../define.js';
import { archivedPicture, whyNot } from '../image/archived-picture.js';
import { type SmallShape, smallPicture } from '../image/small-picture.js';
import type { ExampleSource } from './example.js';
import type { Predictor } from './predictor.js';

/** A zip of images in any folders, in the order of their paths. @throws WorkloadFailure INVALID_INPUT with the name of a bad file */
export async function openPictures(path: string, predictor: Predictor): Promise<ExampleSource> {
  const shape = pictureShape(predictor);
  const archive = await openZip(path);
  const files = archive.files
    .filter(({ name }) => !isLitter(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    count: files.length,
    what: `${files.length} pictures of a zip`,
    async *read() {
      for (const file of files)
        yield { name: file.name, values: scaled(await archivedPicture(file, shape), predictor) };
    },
    close: () => archive.close(),
  };
}

/** One image as the only example. @throws WorkloadFailure INVALID_INPUT */
export function openPicture(path: string, predictor: Predictor): ExampleSource {
  const shape = pictureShape(predictor);
  return {
    count: 1,
    what: 'one picture',
    async *read() {
      const samples = await smallPicture(await readFile(path), shape).catch((error: unknown) => {
        throw invalidInput(`The picture can not be used: ${whyNot(error)}.`, error);
      });
      yield { name: 1, values: scaled(samples, predictor) };
    },
  };
}

/** What pictures are made into: what was stored with the model, or else its input's shape. */
function pictureShape({ preprocessing, model }: Predictor): SmallShape {
  if (preprocessing?.type === 'image') return preprocessing;
  const { inputShape, where } = model;
  const [height, width, channels] = inputShape;
  const isPicture = inputShape.length === 3 && (channels === 1 || channels === 3);
  if (!preprocessing && isPicture) return { height: height!, width: width!, channels };
  throw invalidInput(
    preprocessing
      ? `The model of ${shown(where)} was trained on a table: it takes CSV or JSON, not pictures.`
      : `The model of ${shown(where)} takes no pictures: its input is [${inputShape.join(', ')}], not [height, width, 1 or 3].`,
  );
}

/** Samples of 0 to 1, or as they are for a model that takes whole numbers. */
const scaled = (samples: Uint8Array, { model }: Predictor): Float32Array =>
  Float32Array.from(samples, (sample) => (model.inputType === 'int32' ? sample : sample * (1 / 255)));
