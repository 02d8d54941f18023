import type * as tf from '@tensorflow/tfjs-core';
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter';
import { checkInput } from './check-input.js';
import type { LoadedModel } from './loaded-model.js';
import { modelFailure, type PackedModel } from './packed-model.js';

/** @throws WorkloadFailure INVALID_INPUT for a graph that is none, or that has another form than one input and one output */
export async function loadGraph({ where, artifacts }: PackedModel): Promise<LoadedModel> {
  const model = await loadGraphModel({ load: async () => artifacts }).catch((error: unknown) => {
    throw modelFailure(where, 'loaded', error);
  });
  const { inputs, outputs } = model;
  const input = checkInput(
    where,
    inputs.map(({ shape, dtype }) => ({ shape, dtype })),
    outputs.length,
  );
  return {
    ...{ where, format: 'graph', ...input, metadata: artifacts.userDefinedMetadata ?? {} },
    isSoftmax: isSoftmax(artifacts.modelTopology as Topology, model.outputNodes[0] ?? ''),
    run: (batch) => runGraph(model, batch),
  };
}

/** Graphs with branches, loops or sizes that depend on values run only asynchronously; the others only synchronously are quiet. */
async function runGraph(model: GraphModel, batch: tf.Tensor): Promise<tf.Tensor> {
  try {
    return model.execute(batch) as tf.Tensor;
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('executeAsync'))) throw error;
    return (await model.executeAsync(batch)) as tf.Tensor;
  }
}

interface Topology {
  node: { name?: unknown; op?: unknown; input?: unknown }[];
}

/** Whether the output, looked at through names that only pass it on, comes from a softmax. */
function isSoftmax({ node: nodes }: Topology, output: string): boolean {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  let name: unknown = output;
  for (let step = 0; step <= nodes.length; step++) {
    const node = byName.get(String(name).replace(/^\^|:\d+$/g, ''));
    if (node?.op !== 'Identity' || !Array.isArray(node.input)) return node?.op === 'Softmax';
    [name] = node.input as unknown[];
  }
  return false;
}
