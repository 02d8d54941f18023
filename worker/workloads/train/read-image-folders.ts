import { type ModelTrainParams, trainLimits } from '@gjm/core/workload/model-train.js';
import { isLitter } from '../archive/litter.js';
import { type ArchivedFile, openZip } from '../archive/open-zip.js';
import { invalidInput, type WorkloadContext, shown } from '../define.js';
import { archivedPicture } from '../image/archived-picture.js';
import type { SmallShape } from '../image/small-picture.js';
import type { Examples } from './examples.js';
import { splitExamples } from './seeded.js';

type Context = WorkloadContext<ModelTrainParams>;

interface LabelledFile {
  file: ArchivedFile;
  label: string;
}

/**
 * A zip of image folders as examples: each folder is a class, and all may lie in one folder more.
 * @throws WorkloadFailure INVALID_INPUT with the name of the file that is at fault
 */
export async function readImageFolders(path: string, context: Context): Promise<Examples> {
  const archive = await openZip(path);
  try {
    return await readPictures(labelFiles(archive.files), context);
  } finally {
    await archive.close();
  }
}

async function readPictures(files: LabelledFile[], context: Context): Promise<Examples> {
  const { imageSize, seed, validationSplit, maxExamples } = context.params;
  const classes = [...new Set(files.map(({ label }) => label))].sort();
  if (classes.length < 2) throw invalidInput('The archive has fewer than two folders with pictures.');
  if (classes.length > trainLimits.classes)
    throw invalidInput(`The archive has more than ${trainLimits.classes} folders with pictures.`);
  const { chosen, trainingCount } = splitExamples(files.length, seed, validationSplit, maxExamples);
  const shape: SmallShape = { width: imageSize, height: imageSize, channels: 3 };
  const size = imageSize * imageSize * shape.channels;
  if (chosen.length * size > trainLimits.pixels)
    throw invalidInput(
      `The pictures are too many: ${chosen.length} of ${imageSize}×${imageSize}; set maxExamples or a smaller imageSize.`,
    );
  await context.print(`${files.length} pictures in ${classes.length} folders → ${imageSize}×${imageSize}`);
  const examples = { values: new Uint8Array(chosen.length * size), labels: new Uint16Array(chosen.length) };
  for (const [place, index] of chosen.entries()) {
    const { file, label } = files[index]!;
    examples.values.set(await archivedPicture(file, shape), place * size);
    examples.labels[place] = classes.indexOf(label);
    context.progress({ step: place + 1, total: chosen.length, message: `reading picture ${place + 1}` });
    await context.yieldNow();
    context.stopIfAsked();
  }
  return {
    ...examples,
    scale: 1 / 255,
    shape: [imageSize, imageSize, 3],
    classes,
    trainingCount,
    preprocessing: { type: 'image', ...shape },
  };
}

/** Each file with its folder, in the order of names: the archive's own order must not change what is learned. */
function labelFiles(all: ArchivedFile[]): LabelledFile[] {
  const files = all.filter(({ name }) => !isLitter(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const paths = files.map(({ name }) => name.split('/'));
  const [first] = paths;
  const isWrapped = paths.length > 0 && paths.every((parts) => parts.length === 3 && parts[0] === first![0]);
  return files.map((file, index) => {
    const parts = paths[index]!.slice(isWrapped ? 1 : 0);
    if (parts.length !== 2)
      throw invalidInput(`${shown(file.name)} must lie in a folder that is its class, as in cats/1.png.`);
    return { file, label: parts[0]! };
  });
}
