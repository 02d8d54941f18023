import type { DeviceSelector } from '../job/spec.js';

/** A job that may be placed: QUEUED with no living attempt. Times are ms since the epoch by the database clock. */
export interface QueuedJob {
  id: string;
  ownerId: string;
  kind: string;
  priority: number;
  createdAt: number;
  notBefore: number | null;
  /** Number its next attempt gets. */
  nextAttempt: number;
  engines: string[];
  tier: string | null;
  /** Device memory by the plan, in bytes; 0 = does not matter. */
  memoryBytes: number;
  /** The most that attempts of its kind and tier were seen to take, in bytes by engine: truer than the plan. */
  seenBytes: Record<string, number>;
  /** Devices of one worker that it holds at once. */
  devices: number;
  selector: DeviceSelector;
}

/** The attempt that has a slot, and who waits for it to end. */
export interface SlotHolder {
  id: string;
  ownerName: string;
  /** How long it has run; null before it starts. */
  ranSeconds: number | null;
  /** What is left by its progress, if it says so. */
  etaSeconds: number | null;
}

/** A place on a device for one attempt. */
export interface SlotState {
  index: number;
  attempt: SlotHolder | null;
  /** A lost attempt's processes may still be there: closed until its worker has swept. */
  held: boolean;
  /** A message was not answered: closed until a probe comes back. */
  silent: boolean;
}

export interface DeviceState {
  id: string;
  uid: string;
  name: string;
  kind: 'GPU' | 'MIG' | 'SOFTWARE' | 'CPU';
  workerId: string;
  workerName: string;
  /** The worker's lease is in the future. */
  online: boolean;
  /** Its worker is stopping, or an admin has drained it or its worker: it takes nothing new. */
  draining: boolean;
  engines: string[];
  /** What its children can run, as runName gives it; null: what releases knew that do not say. */
  runs: string[] | null;
  labels: Record<string, string>;
  memoryBytes: number | null;
  memoryFreeBytes: number | null;
  /** GFLOP/s of its fastest matrix product in its last benchmark; null: none was run. */
  speed: number | null;
  health: string;
  healthReason: string | null;
  slots: SlotState[];
}

/** Everything a schedule reads. Stored with the decisions made from it, so that they can be replayed. */
export interface Snapshot {
  /** ms since the epoch, database clock. */
  at: number;
  jobs: QueuedJob[];
  devices: DeviceState[];
}
