import { z } from 'zod';
import { failureCodes } from '../job/failure.js';
import { attemptOutcomes } from '../job/status.js';
import { engineAuditSchema } from './ipc.js';

/**
 * The worker API: JSON over HTTP below /worker/v1, `Authorization: Bearer gjmw_…`, parsed with these schemas on both ends. Times travel as
 * durations in ms; the worker counts them on its own monotonic clock. Every answer that changes something comes after the commit.
 */
export const workerApiPath = '/worker/v1';

/** Version of this API; hello refuses another one with a sentence. */
export const workerApiVersion = 1;

const text = (max: number) => z.string().max(max);
const id = text(64);

/** What a device is doing now, as its driver says; null where that does not tell. */
export const telemetrySchema = z.object({
  /** Share of the last sample period in which it computed, 0 to 1. */
  utilisation: z.number().min(0).max(1).nullable(),
  memoryUsedBytes: z.number().int().nullable(),
  temperatureCelsius: z.number().nullable(),
  powerWatts: z.number().nullable(),
});
export type Telemetry = z.infer<typeof telemetrySchema>;

export const deviceReportSchema = z.object({
  /** Opaque, unique within the machine, stable over restarts. */
  uid: text(256),
  name: text(256),
  kind: z.enum(['GPU', 'MIG', 'SOFTWARE', 'CPU']),
  engines: z.array(text(32)).max(16),
  slots: z.number().int().min(1).max(256),
  memoryBytes: z.number().int().nullable(),
  memoryFreeBytes: z.number().int().nullable(),
  health: z.enum(['OK', 'BUSY_ELSEWHERE', 'DIRTY', 'UNKNOWN', 'LOST', 'DRAINING']),
  healthReason: text(500).nullable(),
  labels: z.record(text(64), text(256)),
  /** What its children can run, as "kind" or "kind/tier"; null: what releases knew that do not say. */
  runs: z.array(text(128)).max(512).nullable().default(null),
  /** Why each engine that is not offered here is not, best engine first. */
  engineAudit: z.array(engineAuditSchema).max(16).default([]),
  telemetry: telemetrySchema.nullable().default(null),
});
export type DeviceReport = z.infer<typeof deviceReportSchema>;

export const helloRequestSchema = z.object({
  apiVersion: z.literal(workerApiVersion),
  /** Random, kept in the worker's data folder: identifies its row over restarts. */
  instanceId: text(64).min(16),
  /** Random, new in each process: the same folder started twice is refused. */
  bootId: text(64).min(16),
  name: text(128).min(1),
  version: text(32),
  devices: z.array(deviceReportSchema).max(64),
  engineAudit: z.array(engineAuditSchema).max(64),
});
export type HelloRequest = z.infer<typeof helloRequestSchema>;

export const helloAnswerSchema = z.object({
  workerId: id,
  slots: z.array(z.object({ uid: z.string(), index: z.number().int(), queueName: z.string() })),
  redis: z.object({ url: z.string(), prefix: z.string() }),
  heartbeatMs: z.number(),
  leaseMs: z.number(),
  graceMs: z.number(),
  orphanMs: z.number(),
});
export type HelloAnswer = z.infer<typeof helloAnswerSchema>;

export const heartbeatRequestSchema = z.object({
  workerId: id,
  bootId: z.string(),
  /** Attempts whose processes live here or whose end is not acknowledged yet. */
  attempts: z.array(z.object({ attemptId: id, tokenHash: text(64) })).max(1024),
  /** Popped attempts that are not claimed yet, since the runner of their slot is still starting: their time to be picked up begins anew. */
  waiting: z.array(id).max(1024).default([]),
  devices: z
    .array(
      deviceReportSchema.pick({
        uid: true,
        memoryFreeBytes: true,
        health: true,
        healthReason: true,
        telemetry: true,
      }),
    )
    .max(64),
  /** Probe messages popped since the last acknowledged beat. */
  probes: z.array(text(64)).max(1024),
  /** True once the worker has begun to stop: nothing is placed on it any more. */
  draining: z.boolean(),
});
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;

export const heartbeatAnswerSchema = z.object({
  /** End these because their user asked. */
  cancel: z.array(z.string()),
  /** End these: they belong to nobody any more. */
  lost: z.array(z.string()),
});
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswerSchema>;

export const claimRequestSchema = z.object({
  workerId: id,
  attemptId: id,
  /** 32 random bytes, hex: becomes the attempt's token. The same key again gets the same answer. */
  claimKey: z.string().regex(/^[0-9a-f]{64}$/),
});

export const inputSchema = z.object({
  field: z.string(),
  fileId: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});

/** A stored checkpoint of an earlier attempt; its bytes come from the inputs' address. */
export const checkpointSchema = z.object({
  fileId: z.string(),
  attempt: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

export const claimAnswerSchema = z.discriminatedUnion('granted', [
  z.object({
    granted: z.literal(true),
    jobId: z.string(),
    attemptNumber: z.number(),
    ownerId: z.string(),
    kind: z.string(),
    params: z.record(z.string(), z.unknown()),
    engine: z.string(),
    tier: z.string().nullable(),
    /** Uids of all devices that the attempt holds, the one whose queue brought it first; empty when it is that one alone. */
    devices: z.array(z.string()).default([]),
    inputs: z.array(inputSchema),
    /** What the job may go on from, newest first. */
    checkpoints: z.array(checkpointSchema),
    runMs: z.number(),
    leaseMs: z.number(),
    graceMs: z.number(),
  }),
  z.object({ granted: z.literal(false), reason: z.string() }),
]);
export type ClaimAnswer = z.infer<typeof claimAnswerSchema>;

/** GraphQL's Int has 32 bits: a number beyond is told as unknown. */
const nullableInt = z
  .number()
  .int()
  .nullable()
  .transform((value) => (value !== null && Math.abs(value) > 2_147_483_647 ? null : value));

/** One reported thing. `number` counts from 1 per attempt, without gaps: a number seen before is not stored again. */
export const reportItemSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    number: z.number().int(),
    fraction: z.number().min(0).max(1).nullable(),
    step: nullableInt,
    total: nullableInt,
    message: text(4_000).nullable(),
    etaSeconds: nullableInt,
  }),
  z.object({
    type: z.literal('metric'),
    number: z.number().int(),
    name: text(256),
    step: nullableInt,
    value: z.number().nullable(),
    special: text(16).nullable(),
  }),
  z.object({
    type: z.literal('log'),
    number: z.number().int(),
    stream: z.enum(['STDOUT', 'STDERR', 'SYSTEM']),
    /** Whole lines, at most 64 KiB of UTF-8. */
    text: text(65_536),
    firstLine: z.number().int(),
  }),
  /** A CHECKPOINT artifact that is stored; the server tells watchers what it is. */
  z.object({ type: z.literal('checkpoint'), number: z.number().int(), artifactId: id }),
]);
export type ReportItem = z.infer<typeof reportItemSchema>;

const tokenFields = { workerId: id, attemptId: id, token: z.string().regex(/^[0-9a-f]{64}$/) };

export const reportRequestSchema = z.object({
  ...tokenFields,
  items: z.array(reportItemSchema).min(1).max(1_000),
});
export type ReportRequest = z.infer<typeof reportRequestSchema>;

export const reportAnswerSchema = z.discriminatedUnion('accepted', [
  z.object({ accepted: z.literal(true), acknowledged: z.number() }),
  /** The token is not the living attempt's: kill that child. */
  z.object({ accepted: z.literal(false) }),
]);
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;

/** What an attempt took of its devices, measured by its worker. */
export const usageSchema = z.object({
  /** 0 to 1; null where the device does not tell. */
  peakUtilisation: z.number().min(0).max(1).nullable(),
  meanUtilisation: z.number().min(0).max(1).nullable(),
  /** Highest memory in use beyond what was in use before it began. */
  peakMemoryBytes: z.number().int().nonnegative().nullable(),
  joules: z.number().nonnegative().nullable(),
  /** Seconds that it held a GPU, summed over its devices; null on a CPU. */
  gpuSeconds: z.number().nonnegative().nullable(),
  /** True when others computed on a device at the same time: the figures are then shares by guess. */
  isEstimate: z.boolean(),
});
export type Usage = z.infer<typeof usageSchema>;

export const finishRequestSchema = z.object({
  ...tokenFields,
  items: z.array(reportItemSchema).max(1_000),
  outcome: z.enum(attemptOutcomes).extract(['SUCCEEDED', 'FAILED', 'CANCELLED', 'RELEASED']),
  /** The engine that computed, when it succeeded. */
  engine: z.string().nullable(),
  failure: z.object({ code: z.enum(failureCodes), message: text(4_000) }).nullable(),
  /** One sentence for the job's status reason. */
  reason: text(500).nullable(),
  /** Ids of the artifacts that make up the result, each uploaded and acknowledged before. */
  artifacts: z.array(id).max(10_000),
  /** Whether the device passed its check after the process group was gone; else its slot stays closed. */
  deviceClean: z.boolean(),
  usage: usageSchema.nullable().default(null),
  /** How its processes were kept together and as whom they ran, one sentence, for programs of users. */
  containment: text(500).nullable().default(null),
});
export type FinishRequest = z.infer<typeof finishRequestSchema>;

export const finishAnswerSchema = z.object({ accepted: z.boolean() });

/**
 * `PUT /worker/v1/attempts/<attempt>/artifacts` with the bytes as body and the query below; `x-gjm-attempt-token` carries the token. The
 * answer comes when the bytes are on disk under their digest and the row is committed. Same name and role again replaces nothing: it
 * answers the first one when the digest is equal.
 */
export const artifactQuerySchema = z.object({
  role: z.enum(['RESULT', 'CHECKPOINT', 'LOG']),
  name: text(255).min(1),
  mediaType: text(127),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.coerce.number().int().nonnegative(),
});
export type ArtifactQuery = z.infer<typeof artifactQuerySchema>;
export const artifactAnswerSchema = z.object({ artifactId: z.string() });
export const attemptTokenHeader = 'x-gjm-attempt-token';

/** `POST /worker/v1/wait`: held open until the worker should beat at once (a cancel was asked for), 25 s at most. */
export const waitRequestSchema = z.object({ workerId: id, bootId: z.string() });
