import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { diagnostic, type DiagnosticParams } from '@gjm/core/workload/diagnostic.js';
import { defineWorkload, type Output, type WorkloadContext, WorkloadFailure } from './define.js';

type Context = WorkloadContext<DiagnosticParams>;

/** Longest single wait: a stop is noticed within this time. */
const waitMs = 20;
const chunkBytes = 64 * 1024;

/** Does exactly as told: prints, waits, fails, crashes or hangs. For tests of this system. */
export const diagnosticWorkload = defineWorkload(diagnostic, async (context) => {
  const { params } = context;
  if (!params.ignoreCancel) return perform(context);
  // Having a handler at all is what keeps the signal from ending the process.
  const ignore = () => undefined;
  process.on('SIGTERM', ignore);
  try {
    return await perform({ ...context, stopIfAsked: () => undefined, stopRequested: () => false });
  } finally {
    process.off('SIGTERM', ignore);
  }
});

async function perform(context: Context): Promise<Output[]> {
  const { params } = context;
  await printLines(context);
  if (params.logBytes !== undefined) await context.print(Buffer.from(params.logBytes, 'base64'));
  if (params.crash) process.abort();
  if (params.hang) for (;;);
  await takeSteps(context);
  if (params.shouldFail) throw new WorkloadFailure('WORKLOAD_ERROR', 'Failed after the last step, as told.');
  return params.artifactBytes > 0 ? [await writeArtifact(context)] : [];
}

/** Lines go out in blocks, since a million small writes would cost more than what they test. */
async function printLines(context: Context): Promise<void> {
  const { logLines } = context.params;
  for (let first = 1; first <= logLines; first += 1_000) {
    const count = Math.min(1_000, logLines - first + 1);
    const block = Array.from({ length: count }, (_, i) => `line ${first + i}`).join('\n');
    await context.print(block);
    if (first + count > logLines) return;
    await context.yieldNow();
    context.stopIfAsked();
  }
}

async function takeSteps(context: Context): Promise<void> {
  const { steps, stepMs, failAtStep } = context.params;
  for (let step = 1; step <= steps; step++) {
    await pause(context, stepMs);
    if (step === failAtStep) throw new WorkloadFailure('WORKLOAD_ERROR', `Failed at step ${step}, as told.`);
    const etaSeconds = Math.ceil(((steps - step) * stepMs) / 1_000);
    context.progress({ step, total: steps, message: `step ${step} of ${steps}`, etaSeconds });
    await context.yieldNow();
    context.stopIfAsked();
  }
}

async function pause(context: Context, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let rest = ms; rest > 0; rest = end - performance.now()) {
    await wait(Math.min(rest, waitMs));
    await context.yieldNow();
    context.stopIfAsked();
  }
}

/** The byte at offset n is n mod 251: the same for every run, and a prime period shows a chunk that is lost or written twice. */
async function writeArtifact(context: Context): Promise<Output> {
  const { artifactBytes } = context.params;
  const name = 'output.bin';
  const unfinished = join(context.outputDir, `${name}.part`);
  function* chunks() {
    for (let offset = 0; offset < artifactBytes; offset += chunkBytes) {
      context.stopIfAsked();
      const length = Math.min(chunkBytes, artifactBytes - offset);
      yield Uint8Array.from({ length }, (_, i) => (offset + i) % 251);
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(unfinished));
  await rename(unfinished, join(context.outputDir, name));
  return { name, path: name, mediaType: 'application/octet-stream' };
}
