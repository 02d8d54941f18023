import type * as tf from '@tensorflow/tfjs-core';
import { z } from 'zod';

/** The part of a model.json that we read; the topology and the weights' specs are checked by TensorFlow itself. */
const modelJsonSchema = z.object({
  format: z.string().optional(),
  modelTopology: z.record(z.string(), z.unknown()),
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(
        z.custom<tf.io.WeightsManifestEntry>((entry) => typeof entry === 'object' && entry !== null),
      ),
    }),
  ),
  trainingConfig: z.custom<tf.io.TrainingConfig>((config) => typeof config === 'object').optional(),
  signature: z.custom<object>((signature) => typeof signature === 'object').optional(),
  userDefinedMetadata: z.record(z.string(), z.custom<object>()).optional(),
});
export type ModelJson = z.output<typeof modelJsonSchema>;

/** @throws SyntaxError or ZodError for what is no model.json */
export const readModelJson = (text: string): ModelJson => modelJsonOf(JSON.parse(text));

/** The same of what is parsed already. @throws ZodError */
export const modelJsonOf = (value: unknown): ModelJson => modelJsonSchema.parse(value);

/** The weight files of a model, in their order. @throws Error for a name that leads elsewhere than beside model.json */
export function shardNames({ weightsManifest }: ModelJson): string[] {
  const names = weightsManifest.flatMap((group) => group.paths);
  const stray = names.find((name) => /[/\\\0]|^\.{0,2}$/.test(name));
  if (stray !== undefined) throw new Error(`The shard ${stray} does not lie beside its model.json.`);
  return names;
}

/**
 * What a load handler gives TensorFlow, with every shard read by `readShard`, which is only ever asked for a plain name beside model.json.
 * @throws Error for a shard name that leads elsewhere
 */
export async function modelArtifacts(
  json: ModelJson,
  readShard: (name: string) => Promise<Uint8Array>,
): Promise<tf.io.ModelArtifacts> {
  const { weightsManifest, modelTopology, trainingConfig, signature, userDefinedMetadata, format } = json;
  const names = shardNames(json);
  const shards: Uint8Array[] = [];
  for (const name of names) shards.push(await readShard(name));
  const bytes = Buffer.concat(shards);
  return {
    modelTopology,
    ...(format === undefined ? {} : { format }),
    ...(trainingConfig && { trainingConfig }),
    ...(signature && { signature }),
    ...(userDefinedMetadata && { userDefinedMetadata }),
    weightSpecs: weightsManifest.flatMap((group) => group.weights),
    weightData: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  };
}
