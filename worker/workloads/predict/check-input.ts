import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, shown } from '../define.js';
import type { LoadedModel } from './loaded-model.js';

/** An input as a model declares it; null, -1 or undefined stand for "any length". */
interface DeclaredInput {
  shape: readonly (number | null)[] | undefined;
  dtype: string | undefined;
}

/**
 * What examples of a model look like.
 * @throws WorkloadFailure INVALID_INPUT for a model with several inputs or outputs, or with an input whose shape is open
 */
export function checkInput(
  where: string,
  inputs: readonly DeclaredInput[],
  outputs: number,
): Pick<LoadedModel, 'inputShape' | 'inputType' | 'fixedBatch'> {
  const [input] = inputs;
  if (!input || inputs.length > 1 || outputs !== 1)
    throw invalidInput(
      `The model of ${shown(where)} has ${inputs.length} inputs and ${outputs} outputs: one of each can be used.`,
    );
  const [batch, ...shape] = input.shape ?? [];
  const sides = shape.map((side) => side ?? -1);
  if (batch === undefined || sides.some((side) => side < 1))
    throw invalidInput(
      `The model of ${shown(where)} does not say the whole shape of its input, a batch of examples: it is [${(input.shape ?? []).map((side) => ((side ?? -1) < 0 ? 'any' : side)).join(', ')}].`,
    );
  const values = sides.reduce((size, side) => size * side, 1);
  if (!(values <= predictLimits.inputValues))
    throw invalidInput(
      `The model of ${shown(where)} takes ${values} numbers per example, at most ${predictLimits.inputValues}.`,
    );
  const { dtype = 'float32' } = input;
  if (dtype !== 'float32' && dtype !== 'int32')
    throw invalidInput(`The model of ${shown(where)} takes ${shown(dtype)} values, not numbers.`);
  return { inputShape: sides, inputType: dtype, fixedBatch: batch !== null && batch > 0 ? batch : null };
}
