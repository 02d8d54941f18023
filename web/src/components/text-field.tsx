import { createUniqueId, For, type JSX } from 'solid-js';
import type { FieldProblem } from '@gjm/client/index.js';
import { Icon } from './icon.js';

/** An input with its name and what the server said of it. */
export const TextField = (props: {
  label: string;
  optional?: boolean;
  problems: readonly FieldProblem[];
  input: JSX.InputHTMLAttributes<HTMLInputElement> & { name: string };
}) => {
  const id = createUniqueId();
  const mine = () => props.problems.filter(({ path }) => path.at(-1) === props.input.name);
  return (
    <div class="field">
      <label for={id}>
        {props.label} {props.optional ? <span class="faint regular">optional</span> : null}
      </label>
      <input
        id={id}
        class="input"
        aria-invalid={mine().length > 0}
        aria-describedby={`${id}-says`}
        {...props.input}
      />
      <div id={`${id}-says`}>
        <For each={mine()}>
          {({ message }) => (
            <p class="err">
              <Icon name="alert" />
              {message}
            </p>
          )}
        </For>
      </div>
    </div>
  );
};
