import type { EngineAudit } from '@gjm/core/wire/ipc.js';
import type { DeviceReport, HeartbeatRequest } from '@gjm/core/wire/worker-api.js';
import { runnableNames } from '@gjm/core/workload/runnable.js';
import { kinds } from '@gjm/core/workload/kinds.js';
import { programEngine } from '@gjm/core/plan/plan.js';
import { RunnerChild } from './child/spawn.js';
import { offerPrograms, pinToAll } from './containment/offer.js';
import type { ProgramHost } from './containment/program-host.js';
import type { ProgramRoom } from './containment/program-room.js';
import { GpuWatch } from './device/gpu-watch.js';
import type { GpuUse } from './device/gpu-use.js';
import { deviceHealth, deviceReport } from './device/health.js';
import type { NvidiaSmi } from './device/nvidia-smi.js';
import { OfferedEngines } from './device/offered-engines.js';
import { makeOwnership } from './device/ownership.js';
import type { FoundDevice } from './device/probe.js';
import { joinAdapters } from './device/vulkan.js';
import type { Logger } from './logger.js';
import { optionalPackages } from './packages-folder.js';
import { placeProgram, type Place } from './slot/place-program.js';
import type { Granted } from './slot/run-attempt.js';
import { Slot, type WarmChild } from './slot/slot.js';
import { within } from './wait.js';

/** A child that loads an engine on a busy machine may take this long, in ms. */
const readyLimitMs = 90_000;
/** As many rows as a hello takes. */
const mostAuditRows = 64;

export interface FleetOptions {
  /** Finds the devices that neither come nor go. */
  probe: () => Promise<FoundDevice[]>;
  /** How GPUs are watched; null: this worker is to use none. */
  gpus: { smi: NvidiaSmi; probeMs: number; foreignBytes: number; diagnosticEngine: string | null } | null;
  /** How programs of users are kept; null: none are run here. */
  programs: ProgramHost | null;
  /** The runner's main module. */
  runnerModule: string;
  childEnv: Record<string, string>;
  instanceId: string;
  runFolder: string;
  /** A child became ready or failed to; a device came, went, or is in another state. */
  onChange: () => void;
  log: Logger;
}

/** All devices of this machine with their slots, and what a hello or a beat says of them. */
export class Fleet {
  readonly #slots: Slot[] = [];
  readonly #options: FleetOptions;
  readonly #watch: GpuWatch | null;
  #fixed: FoundDevice[] = [];
  readonly #engines = new OfferedEngines();
  /** Devices whose slots are parked because they are lost. */
  readonly #parked = new Set<string>();
  #isClosing = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { gpus, instanceId, log } = options;
    const childPids = () => this.#slots.flatMap((slot) => slot.childPid ?? []);
    const readyChildren = (uid: string) =>
      this.#slotsOf(uid).flatMap((slot) => (slot.engine === null ? [] : (slot.childPid ?? [])));
    this.#watch =
      gpus &&
      new GpuWatch({
        ...gpus,
        owner: { ...makeOwnership(instanceId, childPids), readyChildren },
        onChange: () => this.#gpusChanged(),
        log,
      });
  }

  /** Finds the devices and starts a child on each; GPUs are watched from now on. */
  async start(): Promise<void> {
    [this.#fixed] = await Promise.all([this.#options.probe(), this.#watch?.first()]);
    if (this.#isClosing) return;
    this.#addSlots();
    this.#watch?.start();
  }

  /** Resolves when a child of each device has said what works there (or failed to), at the latest after the start limit. */
  async firstWord(): Promise<void> {
    const first = this.#devices.map(({ uid }) =>
      Promise.race(this.#slotsOf(uid).map((slot) => slot.firstStart)),
    );
    await within(Promise.all(first), readyLimitMs, null);
  }

  find(uid: string, index: number): Slot | undefined {
    return this.#slotsOf(uid).find((slot) => slot.index === index);
  }

  /** An attempt begins on these devices; what is returned is ended with it. */
  use(uids: readonly string[]): GpuUse | null {
    return this.#watch?.use(uids) ?? null;
  }

  /** For hello. */
  reports(): DeviceReport[] {
    const { programs } = this.#options;
    const allowed = kinds.filter((kind) => programs || !kind.runsPrograms);
    const runs = runnableNames(allowed, (set) => optionalPackages(set) !== null);
    return this.#devices.map((device) => {
      const slots = this.#slotsOf(device.uid);
      const tried = slots.flatMap((slot) => slot.audit);
      const engine = this.#engines.of(device.uid);
      const report = deviceReport(device, this.#healthOf(device), { engine, tried, runs });
      return programs ? offerPrograms(report, programs) : report;
    });
  }

  /** For a program: a place of its own on the devices that its attempt holds. Null for any other attempt. */
  placeFor(slot: Slot, warm: WarmChild, claim: Granted): Place | null {
    const { programs: host, log } = this.#options;
    if (!host || claim.engine !== programEngine) return null;
    return placeProgram(
      {
        ...{ host, log },
        slotsOf: (uid) => this.#slotsOf(uid),
        pinOf: (uids) =>
          pinToAll(
            this.#devices.filter((device) => uids.includes(device.uid)),
            uids,
          ),
        makeChild: (at, room, pin) => this.#makeProgramChild(at, room, pin),
      },
      slot,
      warm,
      claim,
    );
  }

  /** For a beat. */
  health(): HeartbeatRequest['devices'] {
    return this.#devices.map((device) => this.#healthOf(device));
  }

  /** For hello: what each engine said, once for devices that it said the same of. */
  audit(): EngineAudit[] {
    const rows = this.#slots.flatMap((slot) => slot.audit);
    const distinct = new Map(rows.map((row) => [`${row.engine} ${row.message}`, row]));
    return [...distinct.values()].slice(0, mostAuditRows);
  }

  park(reason: string): void {
    for (const slot of this.#slots) slot.park(reason);
  }

  unpark(): void {
    for (const slot of this.#slots) if (!this.#parked.has(slot.uid)) slot.unpark();
  }

  /** Kills every child's group at once and waits for nothing. */
  killAll(): void {
    for (const slot of this.#slots) slot.kill();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.#watch?.close(), ...this.#slots.map((slot) => slot.close())]);
  }

  get #devices(): FoundDevice[] {
    return joinAdapters(this.#watch?.devices ?? [], this.#fixed);
  }

  #slotsOf(uid: string): Slot[] {
    return this.#slots.filter((slot) => slot.uid === uid);
  }

  #healthOf(device: FoundDevice): HeartbeatRequest['devices'][number] {
    const troubles = this.#slotsOf(device.uid).map((slot) => slot.health);
    return deviceHealth(device, troubles, this.#watch?.healthOf(device.uid) ?? null);
  }

  #addSlots(): void {
    const known = new Set(this.#slots.map((slot) => slot.uid));
    for (const device of this.#devices) {
      if (known.has(device.uid)) continue;
      const slots = Array.from({ length: device.slots }, (_, index) => this.#makeSlot(device, index));
      this.#slots.push(...slots);
      for (const slot of slots) slot.start();
    }
  }

  /** Slots come with their device. They never go: one that is lost may be back, and its slot waits for that without a child. */
  #gpusChanged(): void {
    if (this.#isClosing) return;
    this.#addSlots();
    for (const { uid, name } of this.#watch?.devices ?? []) {
      const loss = this.#watch?.lossOf(uid) ?? null;
      if ((loss !== null) === this.#parked.has(uid)) continue;
      this.#options.log.warn({ uid, name, loss }, loss === null ? 'a device is back' : 'a device is lost');
      if (loss !== null) this.#parked.add(uid);
      else this.#parked.delete(uid);
      for (const slot of this.#slotsOf(uid)) {
        if (loss === null) slot.unpark();
        else slot.park('its device is lost');
      }
    }
    this.#options.onChange();
  }

  #makeSlot(device: FoundDevice, index: number): Slot {
    const { runnerModule, childEnv, instanceId, runFolder, log, programs } = this.#options;
    const makeChild = () =>
      new RunnerChild({
        module: runnerModule,
        // As it is by now: what came or went may have changed what its children are pinned to.
        device: this.#devices.find(({ uid }) => uid === device.uid) ?? device,
        engines: device.engines,
        env: childEnv,
        ...{ instanceId, runFolder, readyLimitMs, log },
      });
    const others = () => this.#slotsOf(device.uid).filter((other) => other !== slot);
    const slot: Slot = new Slot({
      uid: device.uid,
      index,
      makeChild,
      takesPrograms: programs !== null,
      refusalOf: (engine) => this.#engines.refusalOf(device, engine, others()),
      log,
      onChange: () => {
        this.#engines.hear(device, slot, others());
        // Without trouble it serves: by an engine, or programs alone.
        if (slot.health.trouble === null) this.#watch?.childReady(device.uid);
        this.#options.onChange();
      },
    });
    return slot;
  }

  #makeProgramChild({ uid }: Slot, room: ProgramRoom, pin: Record<string, string>): RunnerChild {
    const { runnerModule, childEnv, instanceId, runFolder, log } = this.#options;
    const kind = this.#devices.find((device) => device.uid === uid)?.kind ?? 'CPU';
    return new RunnerChild({
      module: runnerModule,
      device: { uid, kind, pin },
      engines: programEngine,
      env: childEnv,
      ...{ instanceId, runFolder, readyLimitMs, log, room },
    });
  }
}
