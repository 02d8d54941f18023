import { createMemo, createSignal, For, Show } from 'solid-js';
import { Segments } from '../../components/segments.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { pathOf, pointAt, scaleOf, type ChartScale } from './chart-scale.js';
import type { MetricBook, MetricGroup } from './metric-book.js';

const scales = [
  { value: 'linear', word: 'Linear' },
  { value: 'log', word: 'Log' },
] as const;

/** Labels at line ends are kept so far apart, as a share of the height. */
const apart = 0.09;

/** Where each series' label stands: at its last value, moved down where two would touch. */
function labelPlaces(group: MetricGroup, scale: ChartScale): number[] {
  const wanted = group.series.map(({ points }, i) => {
    const last = points.findLast(({ value }) => value !== null)?.value;
    return { i, y: last === undefined || last === null ? 0.5 : scale.y(last) };
  });
  const places: number[] = [];
  let below = -Infinity;
  for (const { i, y } of wanted.sort((a, b) => a.y - b.y)) places[i] = below = Math.max(y, below + apart);
  return places;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

const Tip = (props: { group: MetricGroup; step: number; scale: ChartScale }) => (
  <div
    class="tip"
    classList={{ left: props.scale.x(props.step) > 0.6 }}
    style={{ left: percent(props.scale.x(props.step)) }}
  >
    <span class="faint">step {props.step.toLocaleString('en')}</span>
    <dl>
      <For each={props.group.series}>
        {(series) => (
          <>
            <dt>{visibleText(series.name)}</dt>
            <dd>{pointAt(series.points, props.step)?.text ?? 'none'}</dd>
          </>
        )}
      </For>
    </dl>
  </div>
);

const Axes = (props: { scale: ChartScale }) => (
  <>
    <For each={props.scale.yTicks}>
      {(tick) => (
        <span class="y" style={{ top: percent(props.scale.y(tick)) }}>
          {tick}
        </span>
      )}
    </For>
    <For each={props.scale.xTicks}>
      {(tick) => (
        <span class="x" style={{ left: percent(props.scale.x(tick)) }}>
          {tick.toLocaleString('en')}
        </span>
      )}
    </For>
  </>
);

const Lines = (props: { group: MetricGroup; scale: ChartScale; at: number | null }) => (
  <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
    <For each={props.scale.yTicks}>
      {(tick) => <path class="grid" d={`M0 ${props.scale.y(tick) * 1000}H1000`} />}
    </For>
    <path class="base" d="M0 1000H1000" />
    <Show when={props.at !== null}>
      <path class="cursor" d={`M${props.scale.x(props.at ?? 0) * 1000} 0V1000`} />
    </Show>
    <For each={props.group.series}>
      {(series, i) => <path class={`s${(i() % 6) + 1}`} d={pathOf(series.points, props.scale)} />}
    </For>
  </svg>
);

/** What the drawing says, for who can not see it. */
const summaryOf = (group: MetricGroup, [first, last]: [number, number]): string =>
  `Step ${first} to ${last}. ${group.series
    .map(
      ({ name, points }) => `${name}: from ${points[0]?.text ?? 'none'} to ${points.at(-1)?.text ?? 'none'}`,
    )
    .join('; ')}.`;

/** One quantity over the steps: lines stretched in a drawing, every word in HTML. The pointer or the arrow keys read values. */
const Chart = (props: { group: MetricGroup }) => {
  const [look, setLook] = createSignal<(typeof scales)[number]['value']>('linear');
  const [at, setAt] = createSignal<number | null>(null);
  const scale = createMemo(() => scaleOf(props.group, look() === 'log'));
  const stepAt = (share: number): number => {
    const [first, last] = scale().steps;
    return Math.round(first + Math.min(1, Math.max(0, share)) * (last - first));
  };
  const move = (by: number): void => {
    const [first, last] = scale().steps;
    setAt((step) => Math.min(last, Math.max(first, (step ?? last) + by)));
  };
  const places = createMemo(() => labelPlaces(props.group, scale()));
  return (
    <figure class="chartbox">
      <figcaption class="sec">
        <h3>{visibleText(props.group.name)}</h3>
        <span class="grow" />
        <Segments
          label={`Scale of ${props.group.name}`}
          options={scales}
          value={look()}
          onChoose={setLook}
          small
        />
      </figcaption>
      <div
        class="chart"
        role="img"
        tabindex="0"
        aria-label={visibleText(`${props.group.name}. ${summaryOf(props.group, scale().steps)}`)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt(stepAt((event.clientX - box.left) / box.width));
        }}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') move(-1);
          else if (event.key === 'ArrowRight') move(1);
          else if (event.key === 'Escape') setAt(null);
        }}
      >
        <Lines group={props.group} scale={scale()} at={at()} />
        <Axes scale={scale()} />
        <For each={props.group.series}>
          {(series, i) => (
            <span class={`lab c${(i() % 6) + 1}`} style={{ top: percent(places()[i()] ?? 0.5) }}>
              <span class="cut">{visibleText(series.name)}</span> {series.points.at(-1)?.text}
            </span>
          )}
        </For>
        <Show when={at() !== null}>
          <Tip group={props.group} step={at() ?? 0} scale={scale()} />
        </Show>
      </div>
    </figure>
  );
};

/** Charts of what a job measured. Loaded only where something was. */
export const Charts = (props: { book: MetricBook }) => {
  const groups = createMemo(() => props.book.groups());
  const names = createMemo(() => groups().map(({ name }) => name), undefined, {
    equals: (a, b) => a.join() === b.join(),
  });
  return (
    <section class="charts" aria-label="Metrics">
      <For each={names()}>
        {(name) => (
          <Show when={groups().find((group) => group.name === name)}>
            {(group) => <Chart group={group()} />}
          </Show>
        )}
      </For>
    </section>
  );
};
