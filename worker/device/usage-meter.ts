import type { Telemetry, Usage } from '@gjm/core/wire/worker-api.js';

/**
 * Sums up what one attempt takes of one GPU, from samples of any spacing. Times are ms on any steady clock. It keeps no sample: an attempt may
 * last for weeks.
 */
export class UsageMeter {
  readonly #beganAt: number;
  readonly #memoryAtStart: number | null;
  #lastAt: number;
  #watts: number | null;
  #joules: number | null = null;
  readonly #utilisation = { count: 0, sum: 0, most: 0 };
  #peakMemory: number | null = null;

  /** `first`: what was known when it began. */
  constructor(now: number, first: Telemetry | null) {
    this.#beganAt = now;
    this.#lastAt = now;
    this.#watts = first?.powerWatts ?? null;
    this.#memoryAtStart = first?.memoryUsedBytes ?? null;
  }

  add(now: number, { utilisation, memoryUsedBytes, powerWatts }: Telemetry): void {
    if (utilisation !== null) {
      this.#utilisation.count += 1;
      this.#utilisation.sum += utilisation;
      this.#utilisation.most = Math.max(this.#utilisation.most, utilisation);
    }
    if (memoryUsedBytes !== null && this.#memoryAtStart !== null)
      this.#peakMemory = Math.max(this.#peakMemory ?? 0, memoryUsedBytes - this.#memoryAtStart);
    if (powerWatts !== null) {
      // Between two samples it changed steadily, as far as anybody knows.
      const mean = (powerWatts + (this.#watts ?? powerWatts)) / 2;
      this.#joules = (this.#joules ?? 0) + (mean * (now - this.#lastAt)) / 1_000;
      this.#watts = powerWatts;
    }
    this.#lastAt = now;
  }

  /** What it took up to the last sample. */
  total(isEstimate: boolean): Usage {
    const { count, sum, most } = this.#utilisation;
    return {
      peakUtilisation: count > 0 ? most : null,
      // A sum of so many is a little off: never above the highest of them.
      meanUtilisation: count > 0 ? Math.min(most, sum / count) : null,
      peakMemoryBytes: this.#peakMemory,
      joules: this.#joules,
      gpuSeconds: (this.#lastAt - this.#beganAt) / 1_000,
      isEstimate,
    };
  }
}

/** What an attempt took of all its GPUs: energy and time are sums, memory is what each must have. Null for none. */
export function sumUsage(parts: readonly Usage[]): Usage | null {
  if (parts.length === 0) return null;
  const known = (pick: (usage: Usage) => number | null) =>
    parts.flatMap((usage) => {
      const value = pick(usage);
      return value === null ? [] : [value];
    });
  const sum = (values: number[]) => (values.length > 0 ? values.reduce((a, b) => a + b) : null);
  const most = (values: number[]) => (values.length > 0 ? Math.max(...values) : null);
  const means = known((usage) => usage.meanUtilisation);
  return {
    peakUtilisation: most(known((usage) => usage.peakUtilisation)),
    meanUtilisation: means.length > 0 ? (sum(means) ?? 0) / means.length : null,
    peakMemoryBytes: most(known((usage) => usage.peakMemoryBytes)),
    joules: sum(known((usage) => usage.joules)),
    gpuSeconds: sum(known((usage) => usage.gpuSeconds)),
    isEstimate: parts.some((usage) => usage.isEstimate),
  };
}
