import type { JobEvent } from '@gjm/client/index.js';

export interface Point {
  sequence: number;
  /** The step it was measured at; where none was given, its place in the series. */
  step: number;
  /** Null for what can not be drawn: NaN and infinities. */
  value: number | null;
  /** How it is written, with as many digits as it is worth. */
  text: string;
}

/** Series that belong on one chart: `loss` with `val_loss`, `acc` with `val_acc`. */
export interface MetricGroup {
  name: string;
  series: { name: string; points: readonly Point[] }[];
}

type MetricEvent = Extract<JobEvent, { __typename: 'JobMetricEvent' }>;

const textOf = ({ value, special }: MetricEvent): string =>
  value === null ? (special ?? 'none') : String(Number(value.toPrecision(4)));

/** The quantity behind a name: `val_loss`, `train/loss` and `loss` are one; `epoch/…` has steps of its own. */
export const quantityOf = (name: string): string =>
  name.replace(/^(epoch[_/.\- ])?(?:val|valid|validation|train|training|test)[_/.\- ]/i, '$1');

/** Every number that a job measured, by name, in the order of their events; added at either end, each once. */
export class MetricBook {
  readonly #series = new Map<string, Point[]>();

  get names(): string[] {
    return [...this.#series.keys()];
  }

  add(events: readonly JobEvent[]): boolean {
    const fresh = events.filter((event): event is MetricEvent => event.__typename === 'JobMetricEvent');
    for (const event of fresh) {
      const points = this.#series.get(event.name) ?? [];
      this.#series.set(event.name, points);
      const { sequence, step, value } = event;
      points.push({ sequence, step: step ?? NaN, value, text: textOf(event) });
    }
    for (const name of new Set(fresh.map((event) => event.name))) this.#tidy(name);
    return fresh.length > 0;
  }

  /** The newest value of each, as text. */
  latest(): Map<string, string> {
    return new Map([...this.#series].map(([name, points]) => [name, points.at(-1)?.text ?? '']));
  }

  groups(): MetricGroup[] {
    const groups = new Map<string, MetricGroup>();
    for (const [name, points] of this.#series) {
      const quantity = quantityOf(name);
      const group = groups.get(quantity) ?? { name: quantity, series: [] };
      groups.set(quantity, group);
      group.series.push({
        name,
        points: points.map((it, i) => (Number.isNaN(it.step) ? { ...it, step: i } : it)),
      });
    }
    return [...groups.values()];
  }

  #tidy(name: string): void {
    const bySequence = new Map((this.#series.get(name) ?? []).map((point) => [point.sequence, point]));
    this.#series.set(
      name,
      [...bySequence.values()].sort((a, b) => a.sequence - b.sequence),
    );
  }
}
