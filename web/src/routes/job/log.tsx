import { For, Show } from 'solid-js';
import { Icon } from '../../components/icon.js';
import { clockOf } from '../../lib/times.js';
import { createFollowing } from './follow-end.js';
import type { LogLine, LogTail } from './log-lines.js';

const counted = (n: number): string => (n === 1 ? '1 line' : `${n.toLocaleString('en')} lines`);

const Line = (props: { line: LogLine }) => (
  <li classList={{ err: props.line.stream === 'STDERR', sys: props.line.stream === 'SYSTEM' }}>
    <span class="ln num">{props.line.number}</span>
    <time class="tm num" dateTime={props.line.at}>
      {clockOf(props.line.at)}
    </time>
    <span class="tx">{props.line.text}</span>
  </li>
);

/** The end of the log, as text and nothing else. It is not read out: that would never stop. */
export const Log = (props: { tail: LogTail; isOver: boolean }) => {
  const total = () => props.tail.dropped + props.tail.lines.length;
  const { setBox, unseen, toEnd, onScroll } = createFollowing(total);
  return (
    <section class="log">
      <header>
        <h2>Log</h2>
        <span class="faint t12 num">{counted(total())}</span>
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
        ref={setBox}
        onScroll={onScroll}
      >
        <Show when={props.tail.dropped > 0}>
          <p class="faint cutmark">{counted(props.tail.dropped)} before these are not shown.</p>
        </Show>
        <ol>
          <For
            each={props.tail.lines}
            fallback={
              <li class="faint none">{props.isOver ? 'Nothing was logged.' : 'Nothing was logged yet.'}</li>
            }
          >
            {(line) => <Line line={line} />}
          </For>
        </ol>
      </div>
    </section>
  );
};
