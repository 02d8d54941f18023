import { createSignal, Match, onMount, Show, Switch } from 'solid-js';
import { formText } from '../lib/form-text.js';
import { createSending } from '../lib/sending.js';
import { useSession } from '../lib/session.js';
import { Refusal } from './refusal.js';
import { TextField } from './text-field.js';

const NewPassword = (props: { hasPassword: boolean; onDone: () => void }) => {
  const { changePassword } = useSession();
  const { problems, refused, isBusy, submit } = createSending(async (form) => {
    const current = props.hasPassword ? formText(form, 'current') : null;
    const refusal = await changePassword(current, formText(form, 'new'));
    if (refusal === null) props.onDone();
    return refusal;
  });
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <Show when={props.hasPassword}>
        <TextField
          label="Current password"
          problems={problems()}
          input={{ name: 'current', type: 'password', autocomplete: 'current-password', required: true }}
        />
      </Show>
      <TextField
        label="New password"
        problems={problems()}
        input={{ name: 'new', type: 'password', autocomplete: 'new-password', minLength: 8, required: true }}
      />
      <Refusal text={problems().length > 0 ? null : refused()?.message} />
      <div>
        <button class="btn" type="submit" disabled={isBusy()}>
          Save the password
        </button>
      </div>
    </form>
  );
};

/** One's own password: changed, or set for the first time by who came through a link. */
export const PasswordSetting = () => {
  const { client } = useSession();
  const [hasPassword, setHasPassword] = createSignal(true);
  const [step, setStep] = createSignal<'closed' | 'open' | 'done'>('closed');
  onMount(
    () =>
      void client.hasPassword().then(
        (it) => setHasPassword(it ?? true),
        () => undefined,
      ),
  );
  return (
    <div class="setting">
      <span class="medium">Password</span>
      <Switch
        fallback={
          <button class="btn" type="button" onClick={() => setStep('open')}>
            {hasPassword() ? 'Change the password' : 'Set a password'}
          </button>
        }
      >
        <Match when={step() === 'open'}>
          <NewPassword hasPassword={hasPassword()} onDone={() => setStep('done')} />
        </Match>
        <Match when={step() === 'done'}>
          <span class="faint t12" role="status">
            Saved. All your other sessions have ended.
          </span>
        </Match>
      </Switch>
    </div>
  );
};
