import { createMemo, createSignal, onCleanup, onMount, type Accessor } from 'solid-js';
import { windowRange, type WindowRange } from '../../lib/window-range.js';

/** Lists up to this length are drawn whole. */
const wholeRows = 120;
const overscan = 12;
const assumedHeight = 37;

/** Of a long list in the page's own scroll, the rows near the window. Rows have one height, which is measured. */
export function createWindowedRows(total: Accessor<number>) {
  const [body, setBody] = createSignal<HTMLElement>();
  const [seen, setSeen] = createSignal({ offset: 0, height: 800, row: assumedHeight });
  const look = (): void => {
    const element = body();
    if (!element || total() <= wholeRows) return;
    const row = element.querySelector<HTMLElement>('tr[data-id]')?.offsetHeight ?? assumedHeight;
    setSeen({ offset: -element.getBoundingClientRect().top, height: innerHeight, row: Math.max(1, row) });
  };
  onMount(() => {
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    onCleanup(() => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    });
  });
  const range = createMemo(
    (): WindowRange => {
      if (total() <= wholeRows) return { start: 0, end: total(), before: 0, after: 0 };
      const { offset, height, row } = seen();
      return windowRange(total(), row, offset, height, overscan);
    },
    undefined,
    { equals: (a, b) => a.start === b.start && a.end === b.end && a.after === b.after },
  );
  return { setBody, range };
}
