import { Counter, Gauge, type Registry } from 'prom-client';

/** One sample: a value under a label value, or alone. */
export type Samples = number | Record<string, number>;

interface Metric {
  /** Prometheus name: `gjm_…`, a unit where there is one, `_total` for what only grows. */
  name: string;
  help: string;
  /** The one label, when there is one. Its values come from lists in the code, never from users. */
  label?: string;
  /** Looked at on each scrape; null leaves the metric out of this one. */
  read: () => Samples | null | Promise<Samples | null>;
}

/** A number that goes up and down. */
export function addGauge(registry: Registry, { name, help, label, read }: Metric): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const samples = await read();
      gauge.reset();
      if (typeof samples === 'number') gauge.set(samples);
      else if (label === undefined) gauge.set(NaN);
      else for (const [value, sample] of Object.entries(samples ?? {})) gauge.set({ [label]: value }, sample);
    },
  });
}

/** A number that only grows while the process lives. */
export function addCounter(registry: Registry, { name, help, label, read }: Metric): void {
  const counter: Counter = new Counter({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const samples = await read();
      counter.reset();
      if (typeof samples === 'number') counter.inc(samples);
      else if (label !== undefined)
        for (const [value, sample] of Object.entries(samples ?? {})) counter.inc({ [label]: value }, sample);
    },
  });
}

/** Counts under exactly these names: absent ones are 0, and what no list knows is added up under `other`. */
export function listed(names: readonly string[], counts: Record<string, number>): Record<string, number> {
  const all = Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));
  const other = Object.entries(counts).reduce((sum, [name, count]) => sum + (name in all ? 0 : count), 0);
  return other > 0 ? { ...all, other } : all;
}
