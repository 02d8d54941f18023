import { createUniqueId, For } from 'solid-js';

/** One of a few, all in sight: radio buttons that look like one control. */
export const Segments = <Value extends string>(props: {
  label: string;
  options: readonly { value: Value; word: string }[];
  value: Value;
  onChoose: (value: Value) => void;
  small?: boolean;
}) => {
  const name = createUniqueId();
  return (
    <div class="seg" classList={{ sm: props.small ?? false }} role="radiogroup" aria-label={props.label}>
      <For each={props.options}>
        {(option) => (
          <label>
            <input
              class="sr"
              type="radio"
              name={name}
              checked={option.value === props.value}
              onChange={() => props.onChoose(option.value)}
            />
            <span>{option.word}</span>
          </label>
        )}
      </For>
    </div>
  );
};
