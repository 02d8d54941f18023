import { createUniqueId, For, Match, Show, Switch, type JSX } from 'solid-js';
import type { FieldProblem } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { Segments } from '../../components/segments.js';
import { FileField } from './file-field.js';
import { FilesField } from './files-field.js';
import { typedValue } from './form-values.js';
import type { FormField } from './schema-fields.js';

/** What the server said of a field, with the path it said it by. */
export const Says = (props: { id: string; problems: readonly FieldProblem[] }) => (
  <div id={`${props.id}-says`} role="alert">
    <For each={props.problems}>
      {({ message, path }) => (
        <p class="err">
          <Icon name="alert" />
          <span>
            {message} <code class="code">{path.join('.')}</code>
          </span>
        </p>
      )}
    </For>
  </div>
);

interface Part {
  id: string;
  field: FormField;
  value: unknown;
  isInvalid: boolean;
  onChange: (value: unknown) => void;
}

/** Few short words are segments, more are a list. */
const segmentLimit = 5;

const Choice = (props: Part & { options: readonly (string | number | boolean)[] }) => {
  const options = () => props.options.map((option) => ({ value: String(option), word: String(option) }));
  const choose = (text: string): void => props.onChange(props.options.find((it) => String(it) === text));
  return (
    <Show
      when={props.options.length <= segmentLimit}
      fallback={
        <select class="input" id={props.id} onChange={(event) => choose(event.currentTarget.value)}>
          <For each={options()}>
            {({ value }) => (
              <option value={value} selected={value === String(props.value)}>
                {value}
              </option>
            )}
          </For>
        </select>
      }
    >
      <Segments label={props.field.label} options={options()} value={String(props.value)} onChoose={choose} />
    </Show>
  );
};

const Typed = (props: Part) => {
  const text = () => {
    if (props.value === undefined) return '';
    return typeof props.value === 'string' ? props.value : JSON.stringify(props.value);
  };
  const common = (): JSX.InputHTMLAttributes<HTMLInputElement> => ({
    id: props.id,
    class: 'input',
    autocomplete: 'off',
    'aria-invalid': props.isInvalid,
    'aria-describedby': `${props.id}-says ${props.id}-help`,
    onChange: (event) => props.onChange(typedValue(props.field, event.currentTarget.value)),
  });
  return (
    <input
      {...common()}
      value={text()}
      inputmode={props.field.control.is === 'number' ? 'decimal' : 'text'}
      placeholder={props.field.control.is === 'json' ? 'JSON' : props.field.isRequired ? '' : 'not set'}
    />
  );
};

const Control = (props: Part) => (
  <Switch fallback={<Typed {...props} />}>
    <Match when={props.field.control.is === 'file' && props.field.control}>
      {(control) => (
        <FileField
          id={props.id}
          label={props.field.label}
          accept={control().accept}
          words={control().words}
          value={props.value}
          isInvalid={props.isInvalid}
          onChange={props.onChange}
        />
      )}
    </Match>
    <Match when={props.field.control.is === 'files' && props.field.control}>
      {(control) => (
        <FilesField
          id={props.id}
          label={props.field.label}
          accept={control().accept}
          value={props.value}
          isInvalid={props.isInvalid}
          onChange={props.onChange}
        />
      )}
    </Match>
    <Match when={props.field.control.is === 'choice' && props.field.control}>
      {(control) => <Choice {...props} options={control().options} />}
    </Match>
    <Match when={props.field.control.is === 'switch'}>
      <input
        id={props.id}
        class="switch"
        type="checkbox"
        role="switch"
        checked={props.value === true}
        aria-describedby={`${props.id}-help`}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </Match>
  </Switch>
);

/** One parameter: its name, its control, its help, and what the server said of it. */
export const ParamField = (props: {
  field: FormField;
  value: unknown;
  problems: readonly FieldProblem[];
  onChange: (value: unknown) => void;
}) => {
  const id = createUniqueId();
  const isFile = () => ['file', 'files'].includes(props.field.control.is);
  const isSwitch = () => props.field.control.is === 'switch';
  return (
    <div class="field" classList={{ wide: isFile(), flip: isSwitch() }}>
      <label for={id}>
        {props.field.label}
        <Show when={props.field.isRequired}>
          <span class="sr">, required</span>
        </Show>
      </label>
      <Control
        id={id}
        field={props.field}
        value={props.value}
        isInvalid={props.problems.length > 0}
        onChange={props.onChange}
      />
      <p class="help" id={`${id}-help`}>
        {props.field.help}
      </p>
      <Says id={id} problems={props.problems} />
    </div>
  );
};
