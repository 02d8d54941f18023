import type { Readable } from 'node:stream';
import type { JobWakeUp } from '@gjm/core/wire/events.js';
import type { QueueMessage } from '@gjm/core/wire/queue-message.js';

/** Why bytes could not be stored. `too-large` and `broken-off` are the sender's, `no-space` is ours. */
export class StorageError extends Error {
  constructor(
    readonly reason: 'no-space' | 'too-large' | 'broken-off',
    options?: { cause?: unknown },
  ) {
    super(`The bytes were not stored: ${reason}.`, options);
    this.name = 'StorageError';
  }
}

/** A part of a file: byte offsets from 0, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Bytes under keys that the server makes; names given by users never get here. A key appears only when all its bytes are safe: it is
 * either whole or absent. Keys are `segment/segment/…` of letters, digits, `_` and `-`.
 */
export interface ArtifactStore {
  /** Takes the stream to its end with back-pressure. Throws {@link StorageError} and leaves nothing behind when it can not. */
  put(key: string, stream: Readable, limits: { maxBytes: number }): Promise<StoredObject>;
  /** A stream of the bytes, or null when there is no such key. Destroying the stream frees what it holds. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  stat(key: string): Promise<{ bytes: number } | null>;
  /** Removing what is not there is a success. */
  remove(key: string): Promise<void>;
  /**
   * Every key with the time something was last written there, for sweeping orphans. What a write makes, or left when it broke off, is
   * listed too, as `<key>.<8 digits>.part`, and `remove` takes it. Holds little, however much there is, and reads on as it is asked on.
   */
  list(): AsyncIterable<{ key: string; writtenAt: Date }>;
}

/** What the application says while it works. Fields named token, password, secret or authorization are never printed. */
export interface Logger {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Where a message for a slot goes. */
export interface SlotAddress {
  deviceId: string;
  index: number;
}

/** One queue per slot. A message is only a hint: the claim decides. Every call fails fast, within 2 s, while Redis is away. */
export interface SlotQueues {
  nameOf(slot: SlotAddress): string;
  /** Puts a message into the slot's queue, in place of a living one with the same id; resolves once Redis has it. */
  enqueue(slot: SlotAddress, id: string, message: QueueMessage): Promise<void>;
  /** Takes a message back if it is still there. */
  remove(slot: SlotAddress, id: string): Promise<void>;
  /** What the queues of these slots hold in Redis, added up by kind of list. Everything is empty when nothing is on its way. */
  entries(slots: readonly SlotAddress[]): Promise<Record<QueueStructure, number>>;
}

/** The lists that a queue has in Redis. */
export const queueStructures = [
  'waiting',
  'active',
  'stalling',
  'delayed',
  'succeeded',
  'failed',
  'jobs',
] as const;
export type QueueStructure = (typeof queueStructures)[number];

/** Wake-ups between replicas, by topic. They may be lost, late or doubled; who is woken reads Postgres. */
export interface PubSub {
  /** Never throws: a wake-up that Redis does not take is counted and lost. */
  publish<Topic extends keyof Topics>(topic: Topic, key: string, payload: Topics[Topic]): void;
  /** Resolves once Redis has acknowledged the subscription, however long that takes; never rejects. The function given back ends it. */
  subscribe<Topic extends keyof Topics>(
    topic: Topic,
    key: string,
    listener: (payload: Topics[Topic]) => void,
  ): Promise<() => void>;
  readonly isUp: boolean;
  /** Called each time the connection comes (back) up. */
  onUp(listener: () => void): void;
}

/** Topics and what they carry. */
export interface Topics {
  /** Key: job id. */
  job: JobWakeUp;
  /** Key: '' – every job's changes, for lists. */
  jobs: JobWakeUp;
  /** Key: '' – a worker should beat at once. */
  poke: { workerId: string };
  /** Key: '' – these devices look different now. */
  devices: { deviceIds: string[] };
  /** Key: '' – a session ended: sockets of it close. */
  session: { sessionId: string };
  /** Key: '' – something may be placed now. */
  tick: { at: number };
}
