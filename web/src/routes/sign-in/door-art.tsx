import { For } from 'solid-js';

interface Bar {
  x: number;
  width: number;
  look: 'past' | 'now' | 'next' | 'failed' | 'held';
}

const now = 640;
const right = 820;
const machines = [8, 4, 4, 1];

/** A small generator with a fixed seed: the drawing is the same for everyone. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    yield state / 4_294_967_296;
  }
}

/** One device's day: jobs one after the other, the last one perhaps still running. */
function dayOf(random: Iterator<number, never>): Bar[] {
  const next = () => random.next().value;
  const bars: Bar[] = [];
  let x = -40 * next();
  while (x < now - 30) {
    const width = Math.min(30 + 190 * next() ** 2, now - x);
    bars.push({ x, width, look: 'past' });
    if (next() < 0.12) bars.push({ x: x + width - 4, width: 4, look: 'failed' });
    x += width + 6 + 26 * next() ** 2;
  }
  if (next() < 0.2) return bars;
  const start = now - 12 - 90 * next() ** 2;
  const kept = bars.filter((bar) => bar.x + bar.width < start - 6);
  return [
    ...kept,
    { x: start, width: now - start, look: 'now' },
    { x: now, width: 30 + 120 * next(), look: 'next' },
  ];
}

function rows(): { y: number; bars: Bar[] }[] {
  const random = numbers(7);
  let y = 22;
  return machines.flatMap((devices) => {
    const lanes = Array.from({ length: devices }, () => {
      y += 37;
      return { y: y - 37, bars: dayOf(random) };
    });
    y += 21;
    return lanes;
  });
}

/** A fleet's day, in the marks of the product. Decoration. */
export const DoorArt = () => (
  <svg class="day" viewBox={`0 0 ${right} 800`} preserveAspectRatio="xMaxYMin slice" aria-hidden="true">
    <For each={rows()}>
      {({ y, bars }) => (
        <>
          <path class="rule" d={`M0 ${y + 27.5}H${right}`} />
          <For each={bars}>
            {({ x, width, look }) => (
              <rect class={look} x={x} y={y} width={Math.max(2, width)} height="16" rx="1.5" />
            )}
          </For>
        </>
      )}
    </For>
    <path class="nowmark" d={`M${now + 0.5} 0V800`} />
  </svg>
);
