import * as tf from '@tensorflow/tfjs-core';
import { layers } from '@tensorflow/tfjs-layers';

/** Layers that the thick ESRGAN's model.json names and Keras does not have. Registered once; a second call does nothing. */
export function registerThickLayers(): void {
  if (isRegistered) return;
  isRegistered = true;
  tf.serialization.registerClass(MultiplyBeta);
  for (const scale of [2, 3, 4, 8]) tf.serialization.registerClass(pixelShuffle(scale));
}
let isRegistered = false;

const only = (inputs: tf.Tensor | tf.Tensor[]): tf.Tensor => {
  const [first] = Array.isArray(inputs) ? inputs : [inputs];
  if (!first) throw new Error('The layer was called without a tensor.');
  return first;
};

type Config = ConstructorParameters<typeof layers.Layer>[0];

/** Multiplies by a constant: the residual scaling of a dense block. */
class MultiplyBeta extends layers.Layer {
  static readonly className = 'MultiplyBeta';
  readonly #beta: number;

  constructor(config: Config & { beta: number }) {
    super(config);
    this.#beta = config.beta;
  }

  override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
    return tf.mul(only(inputs), this.#beta);
  }

  override getConfig() {
    return { ...super.getConfig(), beta: this.#beta };
  }
}

/** Makes scale × scale pixels of each pixel's channels; its class name says the scale, `PixelShuffle2x`. */
function pixelShuffle(scale: number) {
  return class extends layers.Layer {
    static readonly className = `PixelShuffle${scale}x`;

    override call(inputs: tf.Tensor | tf.Tensor[]): tf.Tensor {
      return tf.depthToSpace(only(inputs) as tf.Tensor4D, scale);
    }

    override computeOutputShape(shape: (number | null)[]): (number | null)[] {
      const [batch = null, height = null, width = null, channels = null] = shape;
      const times = (side: number | null, factor: number) => side && side * factor;
      return [batch, times(height, scale), times(width, scale), times(channels, 1 / scale ** 2)];
    }
  };
}
