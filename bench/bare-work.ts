/**
 * The same work on the same engine with nothing of ours around it: no runner, no supervisor, no server, and nobody who listens. Forked with an
 * engine's name; does each work that it is sent and answers with a `BareRun`, or with null once: the engine does not load here.
 */
import { chooseEngine } from '@gjm/worker/engines/choose.js';
import { workloadContext } from '@gjm/worker/testing/workload-context.js';
import { buildRegistry } from '@gjm/worker/workloads/registry.js';
import type { EngineWork } from './engine-work.js';
import { timeOf } from './bare-run.js';

const { engine } = await chooseEngine(process.argv.slice(2));
const registry = buildRegistry();
if (!engine) process.send?.(null);
else process.on('message', (work) => void answer(work as EngineWork));

async function answer({ kind, tier, params, inputs, outputDir }: EngineWork): Promise<void> {
  const workload = registry.get(kind)!;
  const fields = Object.keys(inputs);
  const isList = fields.some((field) => field.includes('.'));
  const ids = isList
    ? { images: fields.map(() => '') }
    : Object.fromEntries(fields.map((field) => [field, '']));
  const parsed: unknown = workload.kind.params.parse({ ...ids, ...params });
  const run = await timeOf(async () => {
    await workload.run(workloadContext({ params: parsed, tier, inputs, outputDir, engine: engine! }));
  });
  process.send?.(run);
}
