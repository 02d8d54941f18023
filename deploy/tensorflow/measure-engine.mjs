// Times whole workloads on one engine in this process, each five times: node deploy/tensorflow/measure-engine.mjs native
// Writes the fastest and the middle wall time, the middle processor time and the process' memory. The build must be there: npm run build.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const worker = new URL('../../worker/dist/', import.meta.url);
const load = (path) => import(new URL(path, worker).href);
const { chooseEngine } = await load('engines/choose.js');
const { workloadContext } = await load('testing/workload-context.js');
const { imageUpscaleWorkload } = await load('workloads/image-upscale.js');
const { drawPicture } = await load('workloads/image/picture-under-test.js');
const { modelTrainWorkload } = await load('workloads/model-train.js');

const repeats = 5;
const startMs = performance.now();
const { engine, audit } = await chooseEngine([process.argv[2] ?? 'wasm']);
if (!engine) {
  console.error(audit[0].message);
  process.exit(1);
}
const mebibytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;
console.log(
  `${engine.name} ${engine.version}: ready after ${Math.round(performance.now() - startMs)} ms with ${mebibytes(process.memoryUsage.rss())}, load average ${loadavg()[0].toFixed(1)}`,
);

const outputDir = await mkdtemp(join(tmpdir(), 'gjm-measure-'));
for (const side of [64, 256]) {
  const image = join(outputDir, `${side}.png`);
  await writeFile(image, await drawPicture(side, side));
  const context = { params: { image: '', scale: 2 }, inputs: { image }, outputDir, tier: 'slim', engine };
  await time(`enlarge ${side}×${side} twice`, () => imageUpscaleWorkload.run(workloadContext(context)));
}
for (const model of ['mlp', 'cnn']) {
  const params = modelTrainWorkload.kind.params.parse({
    ...{ data: 'digits', model, epochs: 2 },
    ...{ batchSize: 128, maxExamples: 2_000 },
  });
  const context = { params, inputs: {}, outputDir, engine };
  await time(`train a ${model}, 26 steps of 128`, () => modelTrainWorkload.run(workloadContext(context)));
}
await rm(outputDir, { recursive: true });
console.log(`  most memory ${mebibytes(process.resourceUsage().maxRSS * 1024)}`);

async function time(what, run) {
  const [walls, processor] = [[], []];
  // The first one loads and warms up.
  for (let i = 0; i <= repeats; i++) {
    const [cpuBefore, before] = [process.cpuUsage(), performance.now()];
    await run();
    if (i === 0) continue;
    walls.push(performance.now() - before);
    const { user, system } = process.cpuUsage(cpuBefore);
    processor.push((user + system) / 1_000);
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  console.log(
    `  ${what}: fastest ${Math.round(Math.min(...walls))} ms, middle ${Math.round(middle(walls))} ms, processor ${Math.round(middle(processor))} ms`,
  );
}
