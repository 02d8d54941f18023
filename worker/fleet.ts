import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { DeviceReport, HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import { RunnerChild } from './child/spawn.js';
import { deviceHealth, deviceReport } from './device/health.js';
import type { FoundDevice } from './device/probe.js';
import type { Logger } from './logger.js';
import { Slot } from './slot/slot.js';
import { within } from './wait.js';

/** A child that loads an engine on a busy machine may take this long, in ms. */
const readyLimitMs = 90_000;

export interface FleetOptions {
  devices: FoundDevice[];
  /** The runner's main module. */
  runnerModule: string;
  childEnv: Record<string, string>;
  instanceId: string;
  runFolder: string;
  /** A child became ready or failed to. */
  onChange: () => void;
  log: Logger;
}

/** All devices of this machine with their slots, and what a hello or a beat says of them. */
export class Fleet {
  readonly slots: Slot[];
  readonly #options: FleetOptions;
  /** Engine of each device, by uid: the one its children passed their self-test with. It stays while a child is being replaced. */
  readonly #engines = new Map<string, string>();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.slots = options.devices.flatMap((device) =>
      Array.from({ length: device.slots }, (_, index) => this.#makeSlot(device, index)),
    );
  }

  start(): void {
    for (const slot of this.slots) slot.start();
  }

  /** Resolves when a child of each device has said what works there (or failed to), at the latest after the start limit. */
  async firstWord(): Promise<void> {
    const first = this.#options.devices.map(({ uid }) =>
      Promise.race(this.slots.filter((slot) => slot.uid === uid).map((slot) => slot.firstStart)),
    );
    await within(Promise.all(first), readyLimitMs, null);
  }

  find(uid: string, index: number): Slot | undefined {
    return this.slots.find((slot) => slot.uid === uid && slot.index === index);
  }

  /** For hello. */
  reports(): DeviceReport[] {
    const health = this.slots.map((slot) => slot.health);
    return this.#options.devices.map((device) => {
      const engine = this.#engines.get(device.uid);
      return deviceReport(device, health, engine ? [engine] : []);
    });
  }

  /** For a beat. */
  health(): HeartbeatRequest['devices'] {
    const health = this.slots.map((slot) => slot.health);
    return this.#options.devices.map((device) => deviceHealth(device, health));
  }

  /** For hello: what each engine said, one entry an engine. */
  audit(): EngineAudit[] {
    const byEngine = new Map(this.slots.flatMap((slot) => slot.audit).map((entry) => [entry.engine, entry]));
    return [...byEngine.values()];
  }

  park(): void {
    for (const slot of this.slots) slot.park();
  }

  unpark(): void {
    for (const slot of this.slots) slot.unpark();
  }

  async close(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  #makeSlot(device: FoundDevice, index: number): Slot {
    const { runnerModule, childEnv, instanceId, runFolder, log } = this.#options;
    const makeChild = () =>
      new RunnerChild({
        module: runnerModule,
        device,
        engines: device.engines,
        env: childEnv,
        ...{ instanceId, runFolder, readyLimitMs, log },
      });
    const slot: Slot = new Slot({
      uid: device.uid,
      index,
      makeChild,
      log,
      onChange: () => {
        if (slot.engine && !this.#engines.has(device.uid)) this.#engines.set(device.uid, slot.engine);
        this.#options.onChange();
      },
    });
    return slot;
  }
}
