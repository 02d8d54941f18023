import * as tf from '@tensorflow/tfjs-core';
import type { UpscaleTier } from '@gjm/core/workload/image-upscale.js';
import type { Engine } from '../../engines/engine.js';
import type { Scale, Upscaler } from './esrgan.js';
import type { Picture } from './picture.js';
import { planTiles, type Box, type Tile } from './tiles.js';

/** What one tile of a model costs, and how tiles are cut for it. */
interface Cost {
  /** Peak of tensor bytes while the model works, per pixel it sees; measured and rounded up. */
  peakBytesPerPixel: number;
  /** Largest core side. A tile takes a third of a second (slim) to some seconds (thick) on one core: the grain of progress and of a cancel. */
  side: number;
  /** Context on each inner side with which joined tiles equal the untiled picture in every 8 bit value; with 4 pixels less a few in 100,000 are off by one. */
  margin: number;
}

const slim: Cost = { peakBytesPerPixel: 2_048, side: 128, margin: 12 };
const medium: Cost = { peakBytesPerPixel: 6_144, side: 96, margin: 16 };
const thick: Cost = { peakBytesPerPixel: 3_072, side: 64, margin: 20 };
/** The 8x models of slim and medium widen to full size early: 152×152 pixels at once would take 1.4 GB. */
const early8x = { peakBytesPerPixel: 57_344, side: 64 };

/** Measured for slim 1,060, 1,590, 4,580 and 52,200 at 2, 3, 4 and 8 times, for medium 5,420, 5,520, 5,830 and 51,000, for thick 2,310 to 2,800. */
const costs: Record<UpscaleTier, Record<Scale, Cost>> = {
  slim: { 2: slim, 3: slim, 4: { ...slim, peakBytesPerPixel: 5_120 }, 8: { ...slim, ...early8x } },
  medium: { 2: medium, 3: medium, 4: medium, 8: { ...medium, ...early8x } },
  thick: { 2: thick, 3: thick, 4: thick, 8: thick },
};

/** What `enlargeColours` works with. */
export interface Enlargement {
  upscaler: Upscaler;
  picture: Picture;
  engine: Engine;
  /** Called after each tile with the number of tiles done; may throw to end the work. */
  afterTile(done: number, total: number): Promise<void>;
  /** Other tiles than the usual ones. */
  tiles?: Tile[];
}

/**
 * Runs the model over a picture tile by tile. The result has the picture's channels; an alpha channel is left at 0. No tensor is left behind,
 * however it ends.
 * @throws EngineOutOfMemory before the first tile, when even one would not fit
 */
export async function enlargeColours(task: Enlargement): Promise<Picture> {
  const { picture, engine } = task;
  const { tier, scale } = task.upscaler;
  const cost = costs[tier][scale];
  const tiles = task.tiles ?? planTiles(picture.width, picture.height, cost.side, cost.margin);
  const largest = Math.max(...tiles.map(({ view }) => view.width * view.height));
  engine.assertRoom(largest * cost.peakBytesPerPixel);
  const input = new Float32Array(largest * 3);
  const samples = new Uint8ClampedArray(picture.width * picture.height * scale ** 2 * picture.channels);
  const target = { width: picture.width * scale, channels: picture.channels, samples };
  for (const [index, tile] of tiles.entries()) {
    const output = await runModel(task.upscaler, fillInput(input, picture, tile.view), tile.view);
    pasteCore(target, output, tile, scale);
    await task.afterTile(index + 1, tiles.length);
  }
  return {
    width: target.width,
    height: picture.height * scale,
    channels: picture.channels,
    samples: new Uint8Array(samples.buffer),
  };
}

/** The pixels of `view` as floats in 0..255, [view.height, view.width, 3], in the front part of `input`. */
function fillInput(input: Float32Array, picture: Picture, view: Box): Float32Array {
  const { width, channels, samples } = picture;
  let at = 0;
  for (let y = view.y; y < view.y + view.height; y++) {
    let from = (y * width + view.x) * channels;
    for (let x = 0; x < view.width; x++, from += channels) {
      input[at++] = samples[from] ?? 0;
      input[at++] = samples[from + 1] ?? 0;
      input[at++] = samples[from + 2] ?? 0;
    }
  }
  return input.subarray(0, at);
}

/** Takes and gives values in 0..255, whatever the model was taught with. */
async function runModel({ model, tier }: Upscaler, pixels: Float32Array, view: Box): Promise<Float32Array> {
  const white = tier === 'thick' ? 1 : 255;
  const result = tf.tidy(() => {
    const seen = tf.tensor4d(pixels, [1, view.height, view.width, 3]);
    const output = model.predictOnBatch(white === 255 ? seen : tf.mul(seen, white / 255));
    if (Array.isArray(output)) throw new Error('The model has more than one output.');
    return white === 255 ? output : tf.mul(output, 255 / white);
  });
  try {
    return await result.data<'float32'>();
  } finally {
    result.dispose();
  }
}

/** Copies what `tile` contributes; storing into a clamped array clips to 0..255 and rounds to the nearest value, ties to even. */
function pasteCore(
  target: { width: number; channels: number; samples: Uint8ClampedArray },
  output: Float32Array,
  tile: Tile,
  scale: number,
): void {
  const { core, view } = tile;
  const rowLength = core.width * scale;
  for (let row = 0; row < core.height * scale; row++) {
    const from = (((core.y - view.y) * scale + row) * view.width * scale + (core.x - view.x) * scale) * 3;
    const to = ((core.y * scale + row) * target.width + core.x * scale) * target.channels;
    if (target.channels === 3) {
      target.samples.set(output.subarray(from, from + rowLength * 3), to);
      continue;
    }
    for (let i = 0; i < rowLength; i++) {
      target.samples[to + i * 4] = output[from + i * 3] ?? 0;
      target.samples[to + i * 4 + 1] = output[from + i * 3 + 1] ?? 0;
      target.samples[to + i * 4 + 2] = output[from + i * 3 + 2] ?? 0;
    }
  }
}
