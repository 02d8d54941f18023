import { For, Show } from 'solid-js';
import { spansOf } from '../../lib/ansi.js';
import { clockOf } from '@gjm/core/text/times.js';
import type { LogLine } from './log-book.js';

/** Characters of one line that are drawn; a longer one says so. */
const drawnChars = 4_000;

/** A line of the log: number, time, text. Its text is text and nothing else. */
export const Line = (props: { line: LogLine; isFound: boolean }) => (
  <li
    classList={{
      loud: props.line.stream === 'STDERR',
      sys: props.line.stream === 'SYSTEM',
      here: props.isFound,
    }}
  >
    <span class="ln num">{props.line.number}</span>
    <time class="tm num" dateTime={props.line.at}>
      {clockOf(props.line.at)}
    </time>
    <span class="tx">
      <For each={spansOf(props.line.text.slice(0, drawnChars))}>
        {(span) => (
          <Show when={span.look} fallback={span.text}>
            <span class={span.look}>{span.text}</span>
          </Show>
        )}
      </For>
      <Show when={props.line.text.length > drawnChars}>
        <span class="faint"> … {props.line.text.length.toLocaleString('en')} characters in one line</span>
      </Show>
    </span>
  </li>
);
