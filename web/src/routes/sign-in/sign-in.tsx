import { createSignal, Show } from 'solid-js';
import { useSession } from '../../lib/session.js';
import { Brand } from '../../components/brand.js';
import { Icon } from '../../components/icon.js';

/** The door: e-mail and password, or the link that the machine itself prints. */
export const SignIn = (props: { note: string | null }) => {
  const { signIn } = useSession();
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(await signIn(String(form.get('email')), String(form.get('password'))));
    setBusy(false);
  };
  return (
    <main class="door">
      <Brand />
      <form onSubmit={(event) => void submit(event)} aria-describedby="door-says">
        <h1>Sign in</h1>
        <div id="door-says" role="alert">
          <Show when={refusal() ?? props.note}>
            {(text) => (
              <p class="refusal">
                <Icon name="alert" />
                {text()}
              </p>
            )}
          </Show>
        </div>
        <label class="field">
          <span>Email</span>
          <input class="input" name="email" type="email" autocomplete="username" required autofocus />
        </label>
        <label class="field">
          <span>Password</span>
          <input class="input" name="password" type="password" autocomplete="current-password" required />
        </label>
        <button class="btn primary lg" type="submit" disabled={isBusy()}>
          Sign in
        </button>
        <p class="faint t12">
          On the machine itself, <code class="mono">npm run up</code> prints a link.
        </p>
      </form>
    </main>
  );
};
