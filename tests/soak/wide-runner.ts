/** A real runner whose diagnostic jobs can print more than a request can carry: the marker becomes one line of 20 MiB. */
import { openChannel } from '@gjm/worker/runner/channel.js';
import { readEnvironment } from '@gjm/worker/runner/environment.js';
import { meterOutput } from '@gjm/worker/runner/output-meter.js';
import { wideMarker, widePieces } from './wide-line.js';

process.title = 'gjm-runner';
process.on('disconnect', () => process.exit(0));
const meter = meterOutput();
const channel = openChannel();
const { serve } = await import('@gjm/worker/runner/serve.js');
await serve(readEnvironment(), channel, {
  ...meter,
  async print(output) {
    if (typeof output === 'string' || !wideMarker.equals(output)) return meter.print(output);
    for (const piece of widePieces()) await meter.print(piece);
  },
});
