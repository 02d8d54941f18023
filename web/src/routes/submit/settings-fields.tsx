import { createUniqueId, For, Show } from 'solid-js';
import type { FieldProblem } from '@gjm/client/index.js';
import { Icon } from '../../components/icon.js';
import { Segments } from '../../components/segments.js';
import type { JobSettings } from './job-settings.js';
import { Says } from './param-field.js';

interface Part {
  settings: JobSettings;
  problemsOf: (name: string) => readonly FieldProblem[];
  onChange: (settings: Partial<JobSettings>) => void;
}

const devices = [
  { value: '', word: 'Any' },
  { value: 'gpu', word: 'GPU' },
  { value: 'cpu', word: 'CPU' },
] as const;

const Text = (
  props: Part & {
    name: Exclude<keyof JobSettings, 'wishes'>;
    label: string;
    hint: string;
    isNumber?: boolean;
  },
) => {
  const id = createUniqueId();
  const problems = () => props.problemsOf(props.name);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        class="input"
        autocomplete="off"
        value={props.settings[props.name]}
        placeholder={props.hint}
        inputmode={props.isNumber ? 'numeric' : 'text'}
        aria-invalid={problems().length > 0}
        aria-describedby={`${id}-says`}
        onChange={(event) => props.onChange({ [props.name]: event.currentTarget.value })}
      />
      <Says id={id} problems={problems()} />
    </div>
  );
};

const TierField = (props: Part & { tiers: readonly string[] }) => {
  const options = () => [
    { value: '', word: 'Auto' },
    ...props.tiers.map((tier) => ({ value: tier, word: tier })),
  ];
  return (
    <Show when={props.tiers.length > 1}>
      <div class="field wide">
        <span class="label">Tier</span>
        <Segments
          label="Tier"
          options={options()}
          value={props.settings.tier}
          onChoose={(tier) => props.onChange({ tier })}
        />
        <Says id="tier" problems={props.problemsOf('tier')} />
      </div>
    </Show>
  );
};

/** Problems of fields under the fold must not be hidden with it. */
const folded = ['priority', 'timeoutSeconds', 'maxAttempts', 'deviceSelector'];

/** What every job has besides its params. */
export const SettingsFields = (props: Part & { tiers: readonly string[] }) => {
  const isOpen = () => folded.some((name) => props.problemsOf(name).length > 0);
  return (
    <>
      <TierField {...props} />
      <div class="two">
        <Text {...props} name="name" label="Name" hint="a name for people" />
        <Text {...props} name="labels" label="Labels" hint="key=value, key=value" />
      </div>
      <details class="adv" open={isOpen()}>
        <summary>
          <Icon name="chevron" />
          Priority, time limit, tries, device
          <span class="faint t12 desk-only">50, a day, 3 tries, any device</span>
        </summary>
        <div class="two">
          <Text {...props} name="priority" label="Priority" hint="50" isNumber />
          <Text {...props} name="timeoutSeconds" label="Time limit, s" hint="86400" isNumber />
          <Text {...props} name="maxAttempts" label="Tries" hint="3" isNumber />
          <div class="field">
            <span class="label">Device</span>
            <Segments
              label="Device"
              options={devices}
              value={props.settings.device}
              onChoose={(device) => props.onChange({ device })}
            />
            <For each={props.problemsOf('deviceSelector')}>
              {(problem) => <Says id="device" problems={[problem]} />}
            </For>
          </div>
        </div>
      </details>
    </>
  );
};
