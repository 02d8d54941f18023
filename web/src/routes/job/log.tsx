import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { Icon } from '../../components/icon.js';
import { clockOf } from '../../lib/times.js';
import type { LogTail } from './log-lines.js';

/** So near to its end, in px, a reader counts as being at it. */
const nearEnd = 24;

/**
 * The end of the log. It follows while the reader is at its end and stops when they scroll up; new lines are then counted, and one press
 * goes back. Text nodes only.
 */
export const Log = (props: { tail: LogTail; isOver: boolean }) => {
  let box!: HTMLDivElement;
  const [follows, setFollows] = createSignal(true);
  const [seen, setSeen] = createSignal(0);
  const total = () => props.tail.dropped + props.tail.lines.length;
  const unseen = () => (follows() ? 0 : total() - seen());
  const toEnd = (): void => {
    setFollows(true);
    box.scrollTop = box.scrollHeight;
  };
  const scrolled = (): void => {
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    if (!atEnd && follows()) setSeen(total());
    setFollows(atEnd);
  };
  createEffect(
    on(total, () => {
      if (follows()) requestAnimationFrame(() => (box.scrollTop = box.scrollHeight));
    }),
  );
  return (
    <section class="log">
      <header>
        <h2>Log</h2>
        <span class="faint t12 num">
          {total() === 1 ? '1 line' : `${total().toLocaleString('en')} lines`}
        </span>
        <span class="grow" />
        <Show when={unseen() > 0}>
          <button class="btn ghost" type="button" onClick={toEnd}>
            {unseen()} new <Icon name="down" />
          </button>
        </Show>
      </header>
      <div
        class="lines"
        role="log"
        aria-live="off"
        aria-label="Log"
        tabindex="0"
        ref={box}
        onScroll={scrolled}
      >
        <Show when={props.tail.dropped > 0}>
          <p class="faint cutmark">{props.tail.dropped.toLocaleString('en')} earlier lines are not shown.</p>
        </Show>
        <ol>
          <For
            each={props.tail.lines}
            fallback={
              <li class="faint none">{props.isOver ? 'Nothing was logged.' : 'Nothing was logged yet.'}</li>
            }
          >
            {(line) => (
              <li classList={{ err: line.stream === 'STDERR', sys: line.stream === 'SYSTEM' }}>
                <span class="ln num">{line.number}</span>
                <time class="tm num" dateTime={line.at}>
                  {clockOf(line.at)}
                </time>
                <span class="tx">{line.text}</span>
              </li>
            )}
          </For>
        </ol>
      </div>
    </section>
  );
};
