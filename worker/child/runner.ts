import { openChannel } from '../runner/channel.js';
import { readEnvironment } from '../runner/environment.js';
import { meterOutput } from '../runner/output-meter.js';

/**
 * Main of a runner child: one device, one engine, for life, one attempt at a time. It speaks core/wire/ipc.ts with its supervisor and exits
 * by itself when the supervisor is gone. Exit codes: 0 the supervisor is gone, 1 a bug or a broken engine, 2 started wrongly, 3 no engine.
 */
process.title = 'gjm-runner';
process.on('disconnect', () => process.exit(0));
const meter = meterOutput();

try {
  const environment = readEnvironment();
  const channel = openChannel();
  // The parent may have died before the handler above was there.
  if (!process.connected) process.exit(0);
  // Only now, because it loads TensorFlow: until then this process already has its name and hears its channel.
  const { serve } = await import('../runner/serve.js');
  await serve(environment, channel, meter);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await meter.drained();
  process.exit(2);
}
