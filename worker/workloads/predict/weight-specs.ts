import { z } from 'zod';
import { predictLimits } from '@gjm/core/workload/model-predict.js';
import { invalidInput, shown } from '../define.js';
import type { ModelJson } from '../model/read-model-json.js';

const bytesPerValue = { float32: 4, int32: 4, bool: 1 } as const;
const bytesPerQuantizedValue = { uint8: 1, uint16: 2, float16: 2 } as const;

const specSchema = z.object({
  name: z.string(),
  shape: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1),
    )
    .max(8),
  dtype: z.literal(['float32', 'int32', 'bool'], {
    error: 'only float32, int32 and bool numbers can be read',
  }),
  quantization: z
    .object({ dtype: z.literal(['uint8', 'uint16', 'float16']) })
    .nullish()
    .transform((quantization) => quantization ?? undefined),
});

/** What a model's weights amount to, as its model.json says. */
export interface WeightSum {
  /** Numbers in all weights together. */
  values: number;
  /** Bytes that the weight files must have together, exactly. */
  fileBytes: number;
}

/**
 * Adds the weights up, before a byte of them is read.
 * @param where the model.json's path, for the sentence
 * @throws WorkloadFailure INVALID_INPUT for a weight of an unknown form, and for more than the limits
 */
export function sumWeights({ weightsManifest }: ModelJson, where: string): WeightSum {
  const sum = { values: 0, fileBytes: 0 };
  for (const raw of weightsManifest.flatMap((group) => group.weights)) {
    const parsed = specSchema.safeParse(raw);
    if (!parsed.success) {
      const { message, path } = parsed.error.issues[0]!;
      throw invalidInput(
        `${shown(where)}: the weight ${shown(String(raw.name))} has no usable ${path.join('.')}: ${message}.`,
      );
    }
    const { shape, dtype, quantization } = parsed.data;
    const values = shape.reduce((size, side) => size * side, 1);
    sum.values += values;
    sum.fileBytes +=
      values * (quantization ? bytesPerQuantizedValue[quantization.dtype] : bytesPerValue[dtype]);
    if (sum.values * bytesPerValue.float32 > predictLimits.weightBytes)
      throw invalidInput(
        `${shown(where)}: the weights are more than ${predictLimits.weightBytes / 4} numbers together.`,
      );
  }
  return sum;
}
