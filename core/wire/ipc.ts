import { z } from 'zod';
import { failureCodes } from '../job/failure.js';

/**
 * Messages between a worker's supervisor and its runner child over Node's IPC channel (JSON). Both sides parse what arrives. Text output
 * does not travel here: it is what the child writes to stdout and stderr.
 */

/** Why a running attempt is asked to stop. */
export const stopReasons = ['cancel', 'timeout', 'release', 'lost'] as const;

/** Supervisor → runner. */
export const toRunnerSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    attemptId: z.string(),
    jobId: z.string(),
    kind: z.string(),
    /** As the kind's schema coerced them; file ids are replaced by nothing, see `inputs`. */
    params: z.record(z.string(), z.unknown()),
    tier: z.string().nullable(),
    /** W3C `traceparent` of this attempt, for programs that trace; null when the job has no trace id. */
    traceparent: z.string().nullable(),
    /** Absolute path of each file parameter's bytes, by field. */
    inputs: z.record(z.string(), z.string()),
    /** Empty folder for outputs, removed after the attempt. */
    outputDir: z.string(),
    /** Empty folder for checkpoints, removed after the attempt. */
    checkpointDir: z.string(),
    /** Absolute path of the newest intact checkpoint of an earlier attempt of the same job; null when there is none. */
    resumeFrom: z.string().nullable(),
  }),
  /** Cooperative: the workload ends at its next yield and the runner answers `stopped`. */
  z.object({ type: z.literal('stop'), reason: z.enum(stopReasons) }),
]);
export type ToRunner = z.infer<typeof toRunnerSchema>;

export const engineAuditSchema = z.object({
  engine: z.string(),
  offered: z.boolean(),
  code: z.string().nullable(),
  message: z.string(),
  version: z.string().nullable(),
});
export type EngineAudit = z.infer<typeof engineAuditSchema>;

/** Bytes the runner has written to its pipes since it started: the supervisor reads at least as many before it ends an attempt. */
const written = z.object({ stdoutBytes: z.number().int(), stderrBytes: z.number().int() });

/** What an attempt left behind, so that a leaking child is replaced. */
const leftovers = z.object({ tensors: z.number().int(), rssBytes: z.number().int() });

/** Metrics that one message carries at most. */
export const mostMetrics = 256;

/** `value` is null for NaN and infinities, and `special` says which (JSON has no form for them). */
const runnerMetricSchema = z.object({
  name: z.string(),
  step: z.number().int().nullable(),
  value: z.number().nullable(),
  // Not z.enum: the compiler declares its key '-Infinity' as a number, and the type is lost for other rooms.
  special: z.literal(['NaN', 'Infinity', '-Infinity']).nullable(),
});
export type RunnerMetric = z.infer<typeof runnerMetricSchema>;

/** Runner → supervisor. */
export const fromRunnerSchema = z.discriminatedUnion('type', [
  /** Once, when the engine has passed its self-test and the child may be given work. */
  z.object({
    type: z.literal('ready'),
    engine: z.string(),
    audit: z.array(engineAuditSchema),
    rssBytes: z.number(),
  }),
  /** Instead of ready: no engine works here. The child exits by itself. */
  z.object({ type: z.literal('unusable'), audit: z.array(engineAuditSchema) }),
  z.object({
    type: z.literal('progress'),
    fraction: z.number().min(0).max(1).nullable(),
    step: z.number().int().nullable(),
    total: z.number().int().nullable(),
    message: z.string().nullable(),
    etaSeconds: z.number().int().nullable(),
  }),
  /** Those since the last such message, in order: one message for each would cost a fast loop more than its work. */
  z.object({ type: z.literal('metrics'), metrics: z.array(runnerMetricSchema).max(mostMetrics) }),
  /** A whole file in checkpointDir, by relative path; the supervisor takes it from there, in its own time, and removes it. */
  z.object({ type: z.literal('checkpoint'), name: z.string(), path: z.string(), mediaType: z.string() }),
  z.object({
    type: z.literal('done'),
    /** The engine that computed; the server compares it with the one that was chosen. */
    engine: z.string(),
    /** Files in outputDir, by relative path. */
    outputs: z.array(z.object({ name: z.string(), path: z.string(), mediaType: z.string() })),
    written,
    leftovers,
  }),
  z.object({
    type: z.literal('failed'),
    code: z.enum(failureCodes),
    message: z.string(),
    /** True when the child must not be used again (engine error). */
    broken: z.boolean(),
    written,
    leftovers,
  }),
  z.object({ type: z.literal('stopped'), written, leftovers }),
]);
export type FromRunner = z.infer<typeof fromRunnerSchema>;
