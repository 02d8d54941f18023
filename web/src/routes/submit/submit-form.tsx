import { useNavigate } from '@solidjs/router';
import { createMemo, createSignal, For, Show } from 'solid-js';
import { createStore } from 'solid-js/store';
import {
  ProblemError,
  unwrap,
  type FieldProblem,
  type JobDetails,
  type SubmitJobInput,
} from '@gjm/client/index.js';
import type { JobKindsQuery } from '@gjm/client/generated/graphql.js';
import { Kbd } from '../../components/kbd.js';
import { Refusal } from '../../components/refusal.js';
import { useSession } from '../../lib/session.js';
import { CodePanel } from './code-panel.js';
import { initialValues, keyOf, paramsOf } from './form-values.js';
import { inputOf, noSettings, settingsOf, type JobSettings } from './job-settings.js';
import { ParamField } from './param-field.js';
import { fieldsOf } from './schema-fields.js';
import { SettingsFields } from './settings-fields.js';

export type Kind = JobKindsQuery['jobKinds'][number];

interface Refused {
  message: string;
  fields: readonly FieldProblem[];
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((name, i) => path[i] === name);

/** Sends the job and goes to it; keeps what was said against it. */
function createSubmitting() {
  const { client } = useSession();
  const navigate = useNavigate();
  const [refused, setRefused] = createSignal<Refused | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const submit = async (input: Parameters<typeof client.submit>[0]): Promise<void> => {
    if (isBusy()) return;
    setBusy(true);
    setRefused(null);
    try {
      const { job } = unwrap(await client.submit(input));
      navigate(`/jobs/${job.id}`);
    } catch (error) {
      setRefused({
        message: (error as Error).message,
        fields: error instanceof ProblemError ? error.fields : [],
      });
    }
    setBusy(false);
  };
  return { refused, isBusy, submit };
}

/** What is said for the form as a whole: what belongs to no field, or how many fields to mend. */
function sentenceOf(refused: Refused | null, isShown: (path: readonly string[]) => boolean): string | null {
  if (!refused) return null;
  const lost = refused.fields.filter(({ path }) => !isShown(path));
  if (refused.fields.length === 0) return refused.message;
  if (lost.length > 0) return lost.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' ');
  return refused.fields.length === 1
    ? 'One thing to mend first.'
    : `${refused.fields.length} things to mend first.`;
}

/** The same job as code, and the one button. */
const Plan = (props: { input: SubmitJobInput; isBusy: boolean; says: string | null }) => (
  <aside class="plan">
    <div class="sec">
      <h2>From a program</h2>
      <span class="faint t12">the same job</span>
    </div>
    <CodePanel input={props.input} />
    <div class="plan-end">
      <button class="btn primary lg" type="submit" disabled={props.isBusy}>
        {props.isBusy ? 'Submitting' : 'Submit job'} <Kbd keys="ctrl ↵" />
      </button>
      <Refusal text={props.says} />
    </div>
  </aside>
);

const settingNames = [
  'name',
  'labels',
  'priority',
  'timeoutSeconds',
  'maxAttempts',
  'deviceSelector',
  'tier',
];

/** The form of one kind, made from its schema; filled from an earlier job where there is one. */
export const SubmitForm = (props: { kind: Kind; from: JobDetails | null }) => {
  const fields = createMemo(() => fieldsOf(props.kind.paramsSchema));
  const [values, setValues] = createStore<Record<string, unknown>>({
    ...initialValues(fields(), props.from?.params),
  });
  const [settings, setSettings] = createStore<JobSettings>(props.from ? settingsOf(props.from) : noSettings);
  const { refused, isBusy, submit } = createSubmitting();
  const input = () => inputOf(props.kind.name, paramsOf(fields(), values), settings);
  const problemsAt = (...start: string[]) =>
    refused()?.fields.filter(({ path }) => startsWith(path, start)) ?? [];
  const isShown = (path: readonly string[]) =>
    settingNames.includes(path[0] ?? '') ||
    fields().some((field) => startsWith(path, ['params', ...field.path]));
  return (
    <form
      class="submitform"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(input());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <div class="form">
        <div>
          <h2>{props.kind.title}</h2>
          <p class="dim">{props.kind.description}</p>
        </div>
        <div class="two">
          <For each={fields()}>
            {(field) => (
              <ParamField
                field={field}
                value={values[keyOf(field)]}
                problems={problemsAt('params', ...field.path)}
                onChange={(value) => setValues(keyOf(field), () => value)}
              />
            )}
          </For>
        </div>
        <SettingsFields
          settings={settings}
          tiers={props.kind.tiers}
          problemsOf={(name) => problemsAt(name)}
          onChange={(change) => setSettings(change)}
        />
      </div>
      <Plan input={input()} isBusy={isBusy()} says={sentenceOf(refused(), isShown)} />
      <Show when={props.from}>{(job) => <p class="sr">{`Filled in from ${job().name}`}</p>}</Show>
    </form>
  );
};
