import { open } from 'node:fs/promises';
import { upscaleLimits } from '@gjm/core/workload/image-upscale.js';
import { WorkloadFailure } from '../define.js';
import { imageCodec } from './codec.js';

/** Most bytes an image file may have: more than any image within the pixel limit needs. */
const fileBytes = 256 * 1024 * 1024;

/** What a file says of itself before a pixel of it is decoded. */
export interface ImageFacts {
  format: 'png' | 'jpeg' | 'webp' | 'gif';
  /** After the turn that the EXIF orientation asks for. */
  width: number;
  height: number;
  /** Frames; only the first is used. */
  frames: number;
}

/**
 * Reads an image's header and holds it against the limits, so that a small file can not ask for much memory.
 * @throws WorkloadFailure INVALID_INPUT with one sentence
 */
export async function inspectImage(path: string, scale: number): Promise<ImageFacts> {
  const format = await sniff(path);
  const sharp = await imageCodec();
  const header = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch((cause: unknown) => {
      throw invalid('The image is cut off or damaged: its header can not be read.', cause);
    });
  const { width, height } = header.autoOrient;
  checkSize(width, height, scale);
  return { format, width, height, frames: header.pages ?? 1 };
}

function checkSize(width: number, height: number, scale: number): void {
  const { inputPixels, outputPixels, side } = upscaleLimits;
  const size = `${width}×${height}`;
  if (width < 1 || height < 1) throw invalid(`The image has no pixels (${size}).`);
  if (width > side || height > side) {
    throw invalid(`The image is too large: ${size} pixels, at most ${count(side)} on a side.`);
  }
  if (width * height > inputPixels) {
    throw invalid(`The image is too large: ${size} pixels, at most ${count(inputPixels)} in all.`);
  }
  if (width * height * scale ** 2 > outputPixels) {
    const output = `${width * scale}×${height * scale}`;
    throw invalid(
      `The enlarged image would be too large: ${output} pixels, at most ${count(outputPixels)} in all.`,
    );
  }
}

/** What an image is by its first bytes; null when it is none of these. */
export function sniffedAsImage(head: Uint8Array): ImageFacts['format'] | null {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(12, head.length)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp';
  return null;
}

/** By content, never by name. It also keeps the library from reading formats that nobody asked for, such as SVG. */
async function sniff(path: string): Promise<ImageFacts['format']> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > fileBytes)
      throw invalid(`The image file has ${count(size)} bytes, at most ${count(fileBytes)} are read.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    const format = sniffedAsImage(buffer.subarray(0, bytesRead));
    if (!format) throw invalid('The file is not a PNG, JPEG, WebP or GIF image.');
    return format;
  } finally {
    await file.close();
  }
}

const invalid = (message: string, cause?: unknown) =>
  new WorkloadFailure('INVALID_INPUT', message, { cause });
const count = (value: number) => value.toLocaleString('en-US');
