import { createSignal, type Accessor } from 'solid-js';
import type { JobRow } from '@gjm/client/index.js';

const linkOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] a`);

/**
 * The row that single keys act on. It is where the focus is, so that Enter opens it and a screen reader reads it; the place is kept when
 * the focus goes elsewhere.
 */
export function createCursor(rows: Accessor<readonly JobRow[]>) {
  const [at, setAt] = createSignal<string | null>(null);
  const index = () => rows().findIndex(({ id }) => id === at());
  const goTo = (place: number): void => {
    const job = rows()[Math.min(Math.max(0, place), rows().length - 1)];
    if (!job) return;
    setAt(job.id);
    linkOf(job.id)?.focus();
  };
  return {
    at,
    setAt,
    job: (): JobRow | null => rows()[index()] ?? null,
    next: () => goTo(index() + 1),
    previous: () => goTo(index() < 0 ? 0 : index() - 1),
  };
}
