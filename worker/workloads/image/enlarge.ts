import * as tf from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';
import type { Engine } from '../../engines/engine.js';
import type { Scale } from './esrgan.js';
import type { Picture } from './picture.js';
import { planTiles, tileSide, type Box, type Tile } from './tiles.js';

/**
 * Peak of tensor bytes while the model works, per pixel it sees: measured 1,060, 1,590, 4,580 and 52,200, rounded up. The 8x model widens to
 * full size early, so its tiles are smaller: 88×88 with margins, about 450 MB, where 152×152 would take 1.4 GB.
 */
const costs: Record<Scale, { peakBytesPerPixel: number; tileSide: number }> = {
  2: { peakBytesPerPixel: 2_048, tileSide },
  3: { peakBytesPerPixel: 2_048, tileSide },
  4: { peakBytesPerPixel: 5_120, tileSide },
  8: { peakBytesPerPixel: 57_344, tileSide: tileSide / 2 },
};

/** What `enlargeColours` works with. */
export interface Enlargement {
  model: LayersModel;
  picture: Picture;
  scale: Scale;
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
  const { picture, scale, engine } = task;
  const cost = costs[scale];
  const tiles = task.tiles ?? planTiles(picture.width, picture.height, cost.tileSide);
  const largest = Math.max(...tiles.map(({ view }) => view.width * view.height));
  engine.assertRoom(largest * cost.peakBytesPerPixel);
  const input = new Float32Array(largest * 3);
  const samples = new Uint8ClampedArray(picture.width * picture.height * scale ** 2 * picture.channels);
  const target = { width: picture.width * scale, channels: picture.channels, samples };
  for (const [index, tile] of tiles.entries()) {
    const output = await runModel(task.model, fillInput(input, picture, tile.view), tile.view);
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

async function runModel(model: LayersModel, pixels: Float32Array, view: Box): Promise<Float32Array> {
  const result = tf.tidy(() => {
    const output = model.predictOnBatch(tf.tensor4d(pixels, [1, view.height, view.width, 3]));
    if (Array.isArray(output)) throw new Error('The model has more than one output.');
    return output;
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
