import { modelPredict, type ModelPredictParams } from '@gjm/core/workload/model-predict.js';
import { defineWorkload, type WorkloadContext } from './define.js';
import type { Predictor } from './predict/predictor.js';

/** Runs a model that somebody trained or uploaded over an input, batch by batch. */
export const modelPredictWorkload = defineWorkload(modelPredict, async (context) => {
  // What reads files and models is loaded by the first attempt that needs it.
  const { leavingNoTensors } = await import('./predict/own-tensors.js');
  return leavingNoTensors(async () => {
    const { loadPredictor } = await import('./predict/predictor.js');
    const predictor = await loadPredictor(context.inputs['model']!);
    await context.print(sentenceOf(predictor, context));
    const { openExamples } = await import('./predict/open-examples.js');
    const { predictAll, takeTurn } = await import('./predict/predict-all.js');
    const source = await openExamples(context.inputs['input']!, predictor, () => takeTurn(context));
    try {
      return await predictAll(predictor, source, context);
    } finally {
      await source.close?.();
    }
  });
});

function sentenceOf(
  { model, labels, outputValues, preprocessing }: Predictor,
  { engine }: WorkloadContext<ModelPredictParams>,
): string {
  const output = labels ? `${labels.length} classes` : `${outputValues} values`;
  const how = preprocessing ? `, stored preprocessing of ${preprocessing.type} examples` : '';
  return `${model.format} model: [${model.inputShape.join(', ')}] → ${output}${how}; on ${engine.name}`;
}
