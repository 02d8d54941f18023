import * as tf from '@tensorflow/tfjs-core';
import type { LayersModel } from '@tensorflow/tfjs-layers';

/** A model as the files that TensorFlow.js reads everywhere: `model.json` with the topology, `weights.bin` with the numbers. */
export type ModelFiles = Record<'model.json' | 'weights.bin', Uint8Array | string>;

interface SaveOptions {
  /** Kept as `userDefinedMetadata` of model.json, where `LayersModel.getUserDefinedMetadata` finds it. */
  metadata: object;
  /** With the optimizer's state, for going on with the training. */
  includeOptimizer: boolean;
}

/** The files of a model, as `tf.loadLayersModel` takes them (TensorFlow.js' "layers-model" format). */
export async function modelFiles(model: LayersModel, options: SaveOptions): Promise<ModelFiles> {
  model.setUserDefinedMetadata(options.metadata);
  let files: ModelFiles | undefined;
  const handler = tf.io.withSaveHandler(async (artifacts) => {
    files = filesOf(artifacts);
    return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: 'JSON' } };
  });
  // TensorFlow.js forgets a tensor of the optimizer's state in here.
  tf.engine().startScope();
  try {
    await model.save(handler, { includeOptimizer: options.includeOptimizer });
  } finally {
    tf.engine().endScope();
  }
  return files!;
}

function filesOf({ weightData, weightSpecs, ...artifacts }: tf.io.ModelArtifacts): ModelFiles {
  const manifest = {
    ...artifacts,
    weightsManifest: [{ paths: ['weights.bin'], weights: weightSpecs ?? [] }],
  };
  return {
    'model.json': JSON.stringify(manifest),
    'weights.bin': new Uint8Array(tf.io.CompositeArrayBuffer.join(weightData)),
  };
}
