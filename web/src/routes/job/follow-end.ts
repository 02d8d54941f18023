import { createEffect, createSignal, on, type Accessor } from 'solid-js';

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
  const show = (): void => {
    const element = box();
    if (element) element.scrollTop = element.scrollHeight;
  };
  createEffect(on(total, () => follows() && requestAnimationFrame(show)));
  return {
    setBox,
    /** How many came since the reader left the end. */
    unseen: () => (follows() ? 0 : total() - seen()),
    toEnd: (): void => {
      setFollows(true);
      show();
    },
    onScroll: (): void => {
      const element = box();
      if (!element) return;
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
      if (!atEnd && follows()) setSeen(total());
      setFollows(atEnd);
    },
  };
}
