import type { FleetRepository } from '../persistence/fleet.repository.js';
import { isNewLook, lookOf, type DeviceLook } from './device-look.js';
import type { Logger, PubSub } from './ports.js';
import type { DeviceRecord } from './records.js';
import { Signal } from './signal.js';

/** The fleet is looked at this often while anybody watches, in ms: a worker that falls silent sends no wake-up. */
const lookMs = 2_000;
/** Looks are this far apart, in ms: each beat of a machine with GPUs has news of them. */
const spacingMs = 250;

interface Watcher {
  pending: Map<string, DeviceRecord>;
  signal: Signal;
}

/** Changes of devices, by comparing what the fleet looks like: one reader per replica while anybody watches. */
export class DeviceHub {
  readonly #watchers = new Set<Watcher>();
  #seen = new Map<string, DeviceLook>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;
  #lookedAt = -Infinity;
  #isClosed = false;

  constructor(
    private readonly fleet: FleetRepository,
    private readonly pubsub: PubSub,
    private readonly logger: Logger,
  ) {}

  get watchers(): number {
    return this.#watchers.size;
  }

  start(): void {
    this.pubsub
      .subscribe('devices', '', () => this.#lookSoon())
      .then((unsubscribe) => (this.#isClosed ? unsubscribe() : (this.#unsubscribe = unsubscribe)))
      .catch((error: unknown) => this.logger.warn({ err: error }, 'live devices have no wake-ups'));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#unsubscribe?.();
    for (const watcher of this.#watchers) watcher.signal.fire();
  }

  /** Devices whose look changed since the watch began. */
  async *watch(abort: AbortSignal): AsyncGenerator<DeviceRecord, void, void> {
    const watcher: Watcher = { pending: new Map(), signal: new Signal() };
    await this.#enter(watcher);
    try {
      while (!abort.aborted && !this.#isClosed) {
        const { version } = watcher.signal;
        // By id, not by entry: what is newer by the time it is taken replaces what was noted.
        for (const id of [...watcher.pending.keys()]) {
          const device = watcher.pending.get(id);
          watcher.pending.delete(id);
          if (device) yield device;
        }
        if (watcher.pending.size === 0) await watcher.signal.changedSince(version, abort);
      }
    } finally {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async #enter(watcher: Watcher): Promise<void> {
    if (this.#watchers.size === 0) {
      const devices = await this.fleet.devices();
      const now = performance.now();
      this.#seen = new Map(devices.map((device) => [device.id, lookOf(device, now)]));
    }
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => this.#lookSoon(), lookMs);
  }

  /** One look serves all who ask until it begins. */
  #lookSoon(): void {
    if (this.#soon || this.#isClosed || this.#watchers.size === 0) return;
    const waitMs = Math.max(0, this.#lookedAt + spacingMs - performance.now());
    this.#soon = setTimeout(() => void this.#look(), waitMs);
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    this.#soon = undefined;
    if (this.#watchers.size === 0) return;
    try {
      const devices = await this.fleet.devices();
      const now = performance.now();
      for (const device of devices) {
        const look = lookOf(device, now);
        if (!isNewLook(this.#seen.get(device.id), look, now)) continue;
        this.#seen.set(device.id, look);
        for (const watcher of this.#watchers) {
          watcher.pending.set(device.id, device);
          watcher.signal.fire();
        }
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the fleet could not be read; it is looked at again');
    }
  }
}
