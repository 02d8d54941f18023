import * as tf from '@tensorflow/tfjs-core';
import { initializers, layers, type LayersModel, loadLayersModel } from '@tensorflow/tfjs-layers';
import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, shown } from '../define.js';
import { checkInput } from './check-input.js';
import type { LoadedModel } from './loaded-model.js';
import { modelFailure, type PackedModel } from './packed-model.js';

/** @throws WorkloadFailure INVALID_INPUT for unknown layers, weights that do not fit, and layers that are too large */
export async function loadLayers({ where, artifacts, weightValues }: PackedModel): Promise<LoadedModel> {
  const model = await withWeightBudget(weightValues, () =>
    loadLayersModel(tf.io.fromMemory(artifacts)),
  ).catch((error: unknown) => {
    throw modelFailure(where, 'loaded', error);
  });
  checkLayers(model, where);
  const input = checkInput(
    where,
    model.inputs.map(({ shape, dtype }) => ({ shape, dtype })),
    model.outputs.length,
  );
  const last = model.layers.at(-1)?.getConfig();
  return {
    ...{ where, format: 'layers', ...input, metadata: artifacts.userDefinedMetadata ?? {} },
    isSoftmax: last?.['activation'] === 'softmax' || model.layers.at(-1)?.getClassName() === 'Softmax',
    async run(batch) {
      return tf.tidy(() => model.predictOnBatch(batch) as tf.Tensor);
    },
  };
}

type AddWeight = (
  this: unknown,
  name: string,
  shape: (number | null)[],
  dtype: unknown,
  initializer: unknown,
  ...rest: unknown[]
) => unknown;

/**
 * Loads with no more numbers than the model's files bring, so that a line of JSON can not ask for gigabytes: a layer makes its weights, with
 * random numbers, before anybody compares them with the files. They begin as zeros here, since the files' numbers follow.
 */
async function withWeightBudget<T>(values: number, load: () => Promise<T>): Promise<T> {
  const prototype = layers.Layer.prototype as unknown as { addWeight: AddWeight };
  const { addWeight } = prototype;
  let left = values;
  prototype.addWeight = function (name, shape, dtype, _initializer, ...rest) {
    left -= shape.reduce<number>((size, side) => size * (side ?? 1), 1);
    if (!(left >= 0)) throw new Error('its layers need more weights than its files have.');
    return addWeight.call(this, name, shape, dtype, initializers.zeros(), ...rest);
  };
  try {
    return await load();
  } finally {
    prototype.addWeight = addWeight;
  }
}

/** Layers without weights can blow an example up as well. */
function checkLayers(model: LayersModel, where: string): void {
  for (const layer of model.layers) {
    if ('layers' in layer) checkLayers(layer as LayersModel, where);
    for (const { outputShapes } of layer.inboundNodes) {
      const shapes = (Array.isArray(outputShapes[0]) ? outputShapes : [outputShapes]) as (number | null)[][];
      for (const shape of shapes) {
        const values = shape.slice(1).reduce<number>((size, side) => size * (side ?? 1), 1);
        if (!(values <= predictLimits.layerValues))
          throw invalidInput(
            `The layer ${shown(layer.name)} of ${shown(where)} makes ${values} numbers of one example, at most ${predictLimits.layerValues}.`,
          );
      }
    }
  }
}
