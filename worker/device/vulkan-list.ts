import { listAdapters } from '../engines/webgpu/adapters.js';
import { loadDawn } from '../engines/webgpu/dawn.js';
import type { AdaptersAnswer } from './vulkan-adapters.js';

// Main of a short-lived process: writes what Vulkan has here as JSON. A driver that hangs or crashes does so here and not in the worker.
const loaded = await loadDawn();
const answer: AdaptersAnswer = loaded.ok
  ? { ok: true, adapters: await listAdapters(loaded.dawn) }
  : { ok: false, code: `WEBGPU_${loaded.reason}`, message: loaded.message };
// Not by the natural end: Dawn's objects must live until the process does not.
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
