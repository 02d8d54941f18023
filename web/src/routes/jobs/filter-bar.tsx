import { useNavigate } from '@solidjs/router';
import { createResource, createSignal, For, onCleanup, Show } from 'solid-js';
import type { JobStatus } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import { StatusMark } from '../../components/status-mark.js';
import { useKeys } from '../../lib/keys.js';
import { useSession } from '../../lib/session.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { addressOf, isNarrow, statuses, type ListFilter } from './list-filter.js';

/** Typing is over after this long, in ms. */
const typedMs = 250;

interface Part {
  filter: ListFilter;
  onChange: (filter: ListFilter, isTyping?: boolean) => void;
}

const StatusChips = (props: Part) => {
  const has = (status: JobStatus) => props.filter.statuses.includes(status);
  const toggle = (status: JobStatus): void => {
    const next = statuses.filter((it) => (it === status ? !has(it) : has(it)));
    props.onChange({ ...props.filter, statuses: next.length === statuses.length ? [] : next });
  };
  return (
    <div class="chips" role="group" aria-label="Status">
      <For each={statuses}>
        {(status) => (
          <button class="chip" type="button" aria-pressed={has(status)} onClick={() => toggle(status)}>
            <StatusMark job={{ status, cancelRequestedAt: null, waiting: null, progress: null }} still />
          </button>
        )}
      </For>
    </div>
  );
};

const KindChoice = (props: Part) => {
  const { client } = useSession();
  const [kinds] = createResource(() => client.jobKinds().catch(() => []));
  const names = () => [...new Set([...(kinds() ?? []).map(({ name }) => name), ...props.filter.kinds])];
  return (
    <label class="chip pick" classList={{ on: props.filter.kinds.length > 0 }}>
      <span class="faint">Kind</span>
      <select
        aria-label="Kind"
        onChange={(event) => {
          const { value } = event.currentTarget;
          props.onChange({ ...props.filter, kinds: value ? [value] : [] });
        }}
      >
        <option value="" selected={props.filter.kinds.length === 0}>
          any
        </option>
        <For each={names()}>
          {(name) => (
            <option value={name} selected={props.filter.kinds[0] === name}>
              {name}
            </option>
          )}
        </For>
      </select>
      <Icon name="chevron" />
    </label>
  );
};

const Labels = (props: Part) => {
  const without = (key: string): ListFilter => {
    const { [key]: _, ...labels } = props.filter.labels;
    return { ...props.filter, labels };
  };
  const add = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem('label') as HTMLInputElement;
    const at = input.value.indexOf('=');
    if (at < 1) return;
    const [key, value] = [input.value.slice(0, at).trim(), input.value.slice(at + 1).trim()];
    props.onChange({ ...props.filter, labels: { ...props.filter.labels, [key]: value } });
    input.value = '';
  };
  return (
    <>
      <For each={Object.entries(props.filter.labels)}>
        {([key, value]) => (
          <button
            class="chip on"
            type="button"
            aria-label={`Remove the label ${visibleText(key)} ${visibleText(value)}`}
            onClick={() => props.onChange(without(key))}
          >
            <span class="faint">{visibleText(key)}</span>
            {visibleText(value)}
            <Icon name="cross" />
          </button>
        )}
      </For>
      <form class="chip pick" onSubmit={add}>
        <input
          name="label"
          aria-label="Add a label, as key=value"
          placeholder="label=value"
          autocomplete="off"
        />
      </form>
    </>
  );
};

const Search = (props: Part) => {
  const [input, setInput] = createSignal<HTMLInputElement>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  useKeys([{ keys: '/', does: 'Search by name or id', run: () => input()?.focus() }]);
  return (
    <label class="search">
      <Icon name="search" />
      <input
        ref={setInput}
        type="search"
        aria-label="Name or id"
        placeholder="Name or id"
        value={props.filter.text}
        onInput={(event) => {
          const text = event.currentTarget.value;
          clearTimeout(timer);
          timer = setTimeout(() => props.onChange({ ...props.filter, text }, true), typedMs);
        }}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <Kbd keys="/" />
    </label>
  );
};

/** What narrows the list. The address keeps it, so that the way back, a reload and a sent link show the same. */
export const FilterBar = (props: { filter: ListFilter }) => {
  const navigate = useNavigate();
  const change = (filter: ListFilter, isTyping = false): void =>
    // What is typed replaces what was typed: one way back for one search.
    navigate(addressOf(filter), { replace: isTyping && props.filter.text !== '', scroll: false });
  return (
    <div class="filters page" role="search" aria-label="Filters">
      <StatusChips filter={props.filter} onChange={change} />
      <KindChoice filter={props.filter} onChange={change} />
      <Labels filter={props.filter} onChange={change} />
      <Show when={isNarrow(props.filter)}>
        <button
          class="chip add"
          type="button"
          onClick={() => change({ statuses: [], kinds: [], labels: {}, text: '' })}
        >
          Clear
        </button>
      </Show>
      <span class="grow" />
      <Search filter={props.filter} onChange={change} />
    </div>
  );
};
