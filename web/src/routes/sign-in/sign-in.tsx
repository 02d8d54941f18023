import { createSignal } from 'solid-js';
import { useSession } from '../../lib/session.js';
import { Brand } from '../../components/brand.js';
import { Refusal } from '../../components/refusal.js';
import { formText } from '../../lib/form-text.js';

/** The door: e-mail and password, or the link that the machine itself prints. */
export const SignIn = (props: { note: string | null }) => {
  const { signIn } = useSession();
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(await signIn(formText(form, 'email').trim(), formText(form, 'password')));
    setBusy(false);
  };
  return (
    <main class="door">
      <Brand />
      <form onSubmit={(event) => void submit(event)} aria-describedby="door-says">
        <h1>Sign in</h1>
        <Refusal id="door-says" text={refusal() ?? props.note} />
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
