import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js';
import type { Artifact } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import { useKeys } from '../../lib/keys.js';
import { windowRange } from '../../lib/window-range.js';
import { createFollowing } from './follow-end.js';
import type { LogBook } from './log-book.js';
import { Line } from './log-line.js';
import { createLogSearch } from './log-search.js';

const counted = (n: number): string => (n === 1 ? '1 line' : `${n.toLocaleString('en')} lines`);

/** Height of a line, in px; the style sheet's too. */
const lineHeight = 20;
const overscan = 15;

const Search = (props: { search: ReturnType<typeof createLogSearch> }) => {
  const [input, setInput] = createSignal<HTMLInputElement>();
  useKeys([{ keys: '/', does: 'Search the log', run: () => input()?.focus() }]);
  return (
    <div class="logsearch">
      <label class="search">
        <Icon name="search" />
        <input
          ref={setInput}
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          onInput={(event) => props.search.setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') (event.shiftKey ? props.search.previous : props.search.next)();
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Kbd keys="/" />
      </label>
      <span class="faint t12 num" role="status">
        {props.search.says()}
      </span>
    </div>
  );
};

/** Whether the box follows, how far behind it is, and the ways to its ends. */
const Ends = (props: { following: ReturnType<typeof createFollowing>; isOver: boolean }) => (
  <>
    <Show
      when={props.following.follows()}
      fallback={
        <button class="btn sm" type="button" onClick={props.following.toEnd}>
          <Icon name="down" />
          {props.following.unseen() > 0 ? `${props.following.unseen().toLocaleString('en')} new` : 'End'}
        </button>
      }
    >
      <Show when={!props.isOver}>
        <span class="follow">
          <Icon name="down" />
          Following
        </span>
      </Show>
      <button class="btn ghost sm" type="button" onClick={() => props.following.goTo(0)}>
        <Icon name="up" />
        Start
      </button>
    </Show>
  </>
);

export interface LogProps {
  book: LogBook;
  /** Lines that came above all others since the page opened: what is read stays in place. */
  above: number;
  isOver: boolean;
  /** Whether older lines are still being read. */
  isReading: boolean;
  raw: Artifact | null;
}

/** The lines near the window of the box, and nothing else. */
const Lines = (props: LogProps & { following: ReturnType<typeof createFollowing>; found: number | null }) => {
  const total = () => props.book.total;
  const range = createMemo(() => {
    const { top, height } = props.following.place();
    return windowRange(total(), lineHeight, top, height, overscan);
  });
  const lines = createMemo(() => {
    const { start, end } = range();
    return Array.from({ length: end - start }, (_, i) => ({
      index: start + i,
      line: props.book.lineAt(start + i),
    }));
  });
  return (
    <div class="room" style={{ height: `${total() * lineHeight}px` }}>
      <ol style={{ transform: `translateY(${range().before}px)` }}>
        <For each={lines()}>
          {({ index, line }) => (
            <Show when={line}>{(it) => <Line line={it()} isFound={props.found === index} />}</Show>
          )}
        </For>
      </ol>
    </div>
  );
};

const Head = (
  props: LogProps & {
    following: ReturnType<typeof createFollowing>;
    search: ReturnType<typeof createLogSearch>;
  },
) => (
  <header>
    <h2>Log</h2>
    <span class="faint t12 num">
      {counted(props.book.total)}
      {props.isReading ? ', reading' : ''}
    </span>
    <Show when={props.book.total > 0}>
      <Ends following={props.following} isOver={props.isOver} />
    </Show>
    <span class="grow" />
    <Show when={props.book.total > 0}>
      <Search search={props.search} />
    </Show>
    <Show when={props.raw}>
      {(file) => (
        <a
          class="btn ghost icon"
          href={file().url}
          download={file().name}
          rel="external"
          aria-label="Download the whole log"
        >
          <Icon name="download" />
        </a>
      )}
    </Show>
  </header>
);

/** The log, as text and nothing else. It is not read out: that would never stop. */
export const Log = (props: LogProps) => {
  const total = () => props.book.total;
  const following = createFollowing(total);
  const search = createLogSearch(
    () => props.book,
    (index) => following.goTo((index - 6) * lineHeight),
  );
  createEffect(
    on(
      () => props.above,
      (now, before = 0) => following.keep((now - before) * lineHeight),
    ),
  );
  useKeys([{ keys: 'e', does: 'End of the log', run: following.toEnd }]);
  return (
    <section class="log" aria-label="Log">
      <Head {...props} following={following} search={search} />
      <Show when={props.book.dropped > 0}>
        <p class="cutmark">{counted(props.book.dropped)} before these are only in the file.</p>
      </Show>
      <div
        class="lines"
        role="log"
        aria-live="off"
        aria-label="Lines"
        tabindex="0"
        ref={following.setBox}
        onScroll={following.onScroll}
      >
        <Show
          when={total() > 0}
          fallback={
            <p class="faint none">{props.isOver ? 'Nothing was logged.' : 'Nothing was logged yet.'}</p>
          }
        >
          <Lines {...props} following={following} found={search.current()} />
        </Show>
      </div>
    </section>
  );
};
