import { For, Show } from 'solid-js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon } from './icon.js';

/** One engine, and why it is offered or was passed over. */
export interface EngineWord {
  engine: string;
  offered: boolean;
  /** Why not; null for one that is offered. */
  code: string | null;
  message: string;
  version?: string | null;
}

/** Engines with their coded reasons, best first. */
export const EngineList = (props: { engines: readonly EngineWord[] }) => (
  <ul class="engines">
    <For each={props.engines} fallback={<li class="faint">No engine.</li>}>
      {(it) => (
        <li>
          <Icon name={it.offered ? 'check' : 'cross'} class={it.offered ? 'is-ok' : 'is-idle'} />
          <span class="medium">
            {visibleText(it.engine)}
            <span class="sr">{it.offered ? ' offered' : ' skipped'}</span>
            <Show when={it.version}>
              {(version) => <span class="faint regular num"> {visibleText(version())}</span>}
            </Show>
          </span>
          <span>
            <Show when={it.code}>{(code) => <span class="code faint">{visibleText(code())} </span>}</Show>
            {visibleText(it.message)}
          </span>
        </li>
      )}
    </For>
  </ul>
);
