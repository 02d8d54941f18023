import { open } from 'node:fs/promises';
import { isZip } from '../archive/open-zip.js';
import { invalidInput } from '../define.js';
import { sniffedAsImage } from '../image/inspect.js';
import { openCsv } from './csv-examples.js';
import type { ExampleSource } from './example.js';
import { openJson } from './json-examples.js';
import { openPicture, openPictures } from './picture-examples.js';
import type { Predictor } from './predictor.js';

const headBytes = 4_096;

/**
 * Opens an input as what its content is: a zip of images, an image, JSON, or else CSV.
 * @throws WorkloadFailure INVALID_INPUT for an input without examples, or one that the model can not take
 */
export async function openExamples(
  path: string,
  predictor: Predictor,
  takeTurn: () => Promise<void>,
): Promise<ExampleSource> {
  const source = await openByContent(path, predictor, takeTurn);
  if (source.count > 0) return source;
  await source.close?.();
  throw invalidInput('The input has no examples.');
}

async function openByContent(path: string, predictor: Predictor, takeTurn: () => Promise<void>) {
  if (await isZip(path)) return openPictures(path, predictor);
  const head = await readHead(path);
  if (sniffedAsImage(head)) return openPicture(path, predictor);
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text === '' && head.length < headBytes) throw invalidInput('The input is empty.');
  return /^[[{]/.test(text) ? openJson(path, predictor) : openCsv(path, predictor, takeTurn);
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
