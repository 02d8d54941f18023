import { createEffect, createSignal, on, onCleanup, onMount, type Accessor } from 'solid-js';

/** So near to its end, in px, a reader counts as being at it. */
const nearEnd = 24;

/**
 * A box that shows the end of what grows in it, for as long as the reader stays there: where they are is all that decides. Scrolling up
 * stops it and counts what comes; returning to the end resumes it.
 */
export function createFollowing(total: Accessor<number>) {
  const [box, setBox] = createSignal<HTMLElement>();
  const [follows, setFollows] = createSignal(true);
  const [seen, setSeen] = createSignal(0);
  const [place, setPlace] = createSignal({ top: 0, height: 420 });
  const note = (): void => {
    const element = box();
    if (element) setPlace({ top: element.scrollTop, height: element.clientHeight });
  };
  const scrollTo = (top: number): void => {
    const element = box();
    if (!element) return;
    element.scrollTop = top;
    note();
  };
  // Once the drawing has grown: before, the end is not there to scroll to.
  createEffect(on(total, () => follows() && queueMicrotask(() => scrollTo(box()?.scrollHeight ?? 0))));
  onMount(() => {
    addEventListener('resize', note);
    onCleanup(() => removeEventListener('resize', note));
  });
  return {
    setBox,
    place,
    follows,
    /** How many came since the reader left the end. */
    unseen: () => (follows() ? 0 : Math.max(0, total() - seen())),
    toEnd: (): void => {
      setFollows(true);
      scrollTo(box()?.scrollHeight ?? 0);
    },
    /** Goes to a place and stays there. */
    goTo: (top: number): void => {
      setSeen(total());
      setFollows(false);
      scrollTo(Math.max(0, top));
    },
    /** What is on screen stays on screen, though so many px came above it. */
    keep: (px: number): void => {
      if (!follows()) scrollTo((box()?.scrollTop ?? 0) + px);
    },
    onScroll: (): void => {
      const element = box();
      if (!element) return;
      note();
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
      if (!atEnd && follows()) setSeen(total());
      setFollows(atEnd);
    },
  };
}
