import type { MetricGroup, Point } from './metric-book.js';

export interface ChartScale {
  x: (step: number) => number;
  /** 0 at the top, 1 at the bottom. */
  y: (value: number) => number;
  xTicks: number[];
  yTicks: number[];
  steps: [number, number];
}

/** Points drawn per series at most; more would not be seen. */
const drawn = 400;

/** Round numbers between two, about `count` of them. */
export function ticksBetween(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= raw) ?? raw;
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i += 1)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** A scale over everything that is drawn; logarithmic only where all values allow it. */
export function scaleOf(group: MetricGroup, isLog: boolean): ChartScale {
  const points = group.series.flatMap((series) => series.points);
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const steps = points.map(({ step }) => step);
  const reduce = (all: number[], pick: (a: number, b: number) => number, none: number): number =>
    all.length === 0 ? none : all.reduce((a, b) => pick(a, b));
  const [x0, x1] = [reduce(steps, Math.min, 0), reduce(steps, Math.max, 1)];
  const [low, high] = [reduce(values, Math.min, 0), reduce(values, Math.max, 1)];
  const log = isLog && low > 0;
  const to = log ? Math.log10 : (value: number) => value;
  const room = (to(high) - to(low)) * 0.06 || Math.abs(to(high)) * 0.1 || 1;
  const [y0, y1] = [to(low) - room, to(high) + room];
  return {
    x: (step) => (x1 === x0 ? 0.5 : (step - x0) / (x1 - x0)),
    y: (value) => 1 - (to(value) - y0) / (y1 - y0),
    xTicks: ticksBetween(x0, x1, 6).filter(Number.isInteger),
    yTicks: log
      ? ticksBetween(y0, y1, 3).map((it) => Number((10 ** it).toPrecision(2)))
      : ticksBetween(y0, y1, 6),
    steps: [x0, x1],
  };
}

/** The line through the points as an SVG path over a 1000 × 1000 drawing; it breaks where there is no number. */
export function pathOf(points: readonly Point[], { x, y }: ChartScale): string {
  const every = Math.max(1, Math.ceil(points.length / drawn));
  let isDown = false;
  let path = '';
  points.forEach(({ step, value }, i) => {
    if (i % every !== 0 && i !== points.length - 1) return;
    if (value === null) {
      isDown = false;
      return;
    }
    path += `${isDown ? 'L' : 'M'}${(x(step) * 1000).toFixed(1)} ${(y(value) * 1000).toFixed(1)}`;
    isDown = true;
  });
  return path;
}

/** The point at a step or the last before it. */
export function pointAt(points: readonly Point[], step: number): Point | null {
  let found: Point | null = null;
  for (const point of points) if (point.step <= step && (!found || point.step >= found.step)) found = point;
  return found;
}
