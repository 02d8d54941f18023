import { For, Show } from 'solid-js';
import { areKeysOn } from '../lib/keys.js';

/** The key that does the same as what it stands on. Decoration there: the sheet tells all of them in words. */
export const Kbd = (props: { keys: string }) => (
  <Show when={areKeysOn()}>
    <span class="kbds" aria-hidden="true">
      <For each={props.keys.split(' ')}>{(key) => <kbd class="kbd">{key}</kbd>}</For>
    </span>
  </Show>
);
