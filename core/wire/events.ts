import { isTerminal, type JobStatus } from '../job/status.js';
import type { JobFailure } from '../job/failure.js';

export interface JobProgress {
  /** 0 to 1. */
  fraction: number | null;
  step: number | null;
  total: number | null;
  message: string | null;
  etaSeconds: number | null;
}

export type LogStream = 'STDOUT' | 'STDERR' | 'SYSTEM';

export interface ArtifactFacts {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  role: 'RESULT' | 'CHECKPOINT' | 'LOG';
  attempt: number;
  createdAt: string;
}

export interface DecisionFacts {
  id: string;
  stage: 'planner' | 'scheduler' | 'executor' | 'evaluator';
  /** ISO 8601; absent in a stored event, whose own time it is. */
  at?: string;
  attempt: number | null;
  summary: string;
  policyVersion: string | null;
  data: Record<string, unknown>;
}

/** What job_events.data holds, by job_events.type. Artifact and decision events are snapshots: they outlive their rows. */
export type EventBody =
  | { type: 'status'; data: { status: JobStatus; reason: string | null; failure: JobFailure | null } }
  | { type: 'progress'; data: JobProgress }
  | {
      type: 'metric';
      data: { name: string; step: number | null; value: number | null; special: string | null };
    }
  | { type: 'log'; data: { stream: LogStream; text: string; firstLine: number } }
  | { type: 'decision'; data: DecisionFacts }
  | { type: 'artifact'; data: ArtifactFacts }
  | { type: 'cancel-requested'; data: { by: { id: string; name: string }; reason: string | null } };

export type EventType = EventBody['type'];

/** One row of the numbered sequence of a job. `at` is ISO 8601 UTC with milliseconds, from the database clock. */
export type StoredEvent = EventBody & { jobId: string; sequence: number; at: string; attempt: number | null };

/** An event about to be numbered; the statement that stores it gives sequence and time. */
export type NewEvent = EventBody & { attempt: number | null };

/**
 * Wake-up after a commit: the job has events up to `lastSequence`. Never the truth: it may be lost, doubled or late. `from` and `to` let
 * list watchers report a job that leaves their filter.
 */
export interface JobWakeUp {
  jobId: string;
  lastSequence: number;
  ownerId: string;
  from: JobStatus;
  to: JobStatus;
  deleted?: true;
}

/** True for the last event of a job: its only one with a terminal status. */
export const isTerminalEvent = (event: EventBody): boolean =>
  event.type === 'status' && isTerminal(event.data.status);
