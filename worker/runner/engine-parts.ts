import * as tf from '@tensorflow/tfjs-core';
import { chooseEngine } from '../engines/choose.js';
import { buildRegistry } from '../workloads/registry.js';
import { warmTensors } from '../workloads/warm-models.js';
import type { OpenedParts, RunnerParts } from './attempt.js';

/** The best of these engines that works here, with all workloads unless told which. */
export async function openEngine(
  wanted: readonly string[],
  registry: RunnerParts['registry'] = buildRegistry(),
): Promise<OpenedParts> {
  const { engine, audit } = await chooseEngine(wanted);
  const countTensors = () => tf.memory().numTensors - warmTensors();
  return { parts: engine && { engine, registry, countTensors }, audit };
}
