/** A runner that runs programs like any other, and where others would load an engine, only says that it has. */
import { readEnvironment } from '@gjm/worker/runner/environment.js';

if (readEnvironment().program) await import('@gjm/worker/child/runner.js');
else {
  process.on('disconnect', () => process.exit(0));
  process.send?.({ type: 'ready', engine: 'wasm', audit: [], rssBytes: process.memoryUsage.rss() });
}
