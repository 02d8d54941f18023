/**
 * The same model over the same tiles with nothing of ours around it: no runner, no supervisor, no server. Forked with an image's path, a
 * number of runs and an engine; measures from the start of the model's load to the last tile, per run.
 */
import { chooseEngine } from '@gjm/worker/engines/choose.js';
import { decodeImage } from '@gjm/worker/workloads/image/decode.js';
import { enlargeColours } from '@gjm/worker/workloads/image/enlarge.js';
import { loadUpscaler } from '@gjm/worker/workloads/image/esrgan.js';
import { tellRuns } from './bare-run.js';

const [path = '', runs = '1', name = 'wasm'] = process.argv.slice(2);
const { engine } = await chooseEngine([name]);
if (!engine) throw new Error(`The engine ${name} does not load here.`);
await tellRuns(Number(runs), async () => {
  const [upscaler, picture] = await Promise.all([loadUpscaler('slim', 2), decodeImage(path)]);
  await enlargeColours({ upscaler, picture, engine, afterTile: async () => undefined });
});
