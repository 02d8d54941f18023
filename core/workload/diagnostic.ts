import { z } from 'zod';
import { defineKind } from './define.js';

const mebibyte = 1024 * 1024;

/** A job whose behaviour its submitter scripts: for tests of this system, not for work. */
export const diagnostic = defineKind({
  name: 'diagnostic',
  title: 'Diagnostic',
  description: 'For tests of this system: steps, waits, prints, fails, crashes or hangs exactly as told.',
  diagnostic: true,
  params: z.strictObject({
    steps: z.number().int().min(1).max(1_000_000).default(1).describe('Steps, counted from 1.'),
    stepMs: z.number().int().min(0).max(3_600_000).default(0).describe('Milliseconds each step waits.'),
    failAtStep: z.number().int().min(1).optional().describe('Fails with WORKLOAD_ERROR at this step.'),
    crash: z.boolean().default(false).describe('Aborts its process.'),
    hang: z.boolean().default(false).describe('A busy loop that never yields.'),
    ignoreCancel: z.boolean().default(false).describe('No cooperative stop, and SIGTERM ignored.'),
    logLines: z.number().int().min(0).max(1_000_000).default(0).describe('Lines `line <n>` printed first.'),
    logBytes: z.base64().max(180_000).optional().describe('Raw bytes printed after the lines, as base64.'),
    artifactBytes: z
      .number()
      .int()
      .min(0)
      .max(256 * mebibyte)
      .default(0)
      .describe('Size of RESULT output.bin.'),
    shouldFail: z.boolean().default(false).describe('Fails with WORKLOAD_ERROR after the last step.'),
  }),
  outputs: [],
  tiers: [],
});
export type DiagnosticParams = z.output<typeof diagnostic.params>;
