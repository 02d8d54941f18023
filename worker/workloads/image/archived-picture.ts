import { type ArchivedFile } from '../archive/open-zip.js';
import { invalidInput, shown } from '../define.js';
import { type SmallShape, smallPicture } from './small-picture.js';

/** An archive's picture, made small. @throws WorkloadFailure INVALID_INPUT with the file's name */
export async function archivedPicture(file: ArchivedFile, shape: SmallShape): Promise<Uint8Array> {
  const bytes = await file.read();
  try {
    return await smallPicture(bytes, shape);
  } catch (error) {
    throw invalidInput(`The picture ${shown(file.name)} can not be used: ${whyNot(error)}.`, error);
  }
}

/** Why `smallPicture` refused, as the end of a sentence: its own words, or ours for those of the library. */
export const whyNot = (error: unknown): string =>
  error instanceof Error && error.message.startsWith('it ') ? error.message : 'it is damaged or too large';
