/** What computes, in the words of the design: `cuda`, `webgpu` and `native` are known names whose code is not here yet. */
export const engineNames = ['cuda', 'webgpu', 'native', 'wasm', 'cpu'] as const;
export type EngineName = (typeof engineNames)[number];

/** An engine that has been loaded into this process. There is one per process, for life. */
export interface Engine {
  readonly name: EngineName;
  /** Version of the package that computes. */
  readonly version: string;
  /** The engine that TensorFlow would use right now, so that a success can say what was really in use. */
  inUse(): string;
  /**
   * Refuses, before the work begins, what would not fit.
   * @param bytes expected peak beyond the tensors that are alive now
   * @throws EngineOutOfMemory
   */
  assertRoom(bytes: number): void;
  /** Whether this error means that the process must not compute again: its heap or its device can no longer be trusted. */
  isBroken(error: unknown): boolean;
}

/** An engine that was loaded, or why it can not be offered here: `code` is one of the audit's codes. */
export type LoadResult = { ok: true; engine: Engine } | { ok: false; code: string; message: string };

/** Knows how to load one engine. `load` makes it TensorFlow's current backend; what it throws counts as a refusal. */
export interface EngineLoader {
  readonly name: EngineName;
  load(): Promise<LoadResult>;
}

/** More memory was asked for than the engine may hold. The process is replaced afterwards: its heap does not shrink. */
export class EngineOutOfMemory extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EngineOutOfMemory';
  }
}
