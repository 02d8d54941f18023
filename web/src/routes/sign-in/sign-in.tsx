import { createResource, createSignal, Show } from 'solid-js';
import { useSession } from '../../lib/session.js';
import { Brand } from '../../components/brand.js';
import { Refusal } from '../../components/refusal.js';
import { TextField } from '../../components/text-field.js';
import { createSending } from '../../lib/sending.js';
import { formText } from '../../lib/form-text.js';
import { DoorArt } from './door-art.js';
import { isOpen, needsInvite, type Registration } from './registration.js';

const Enter = (props: { note: string | null; canRegister: boolean; onRegister: () => void }) => {
  const { signIn } = useSession();
  const { refused, isBusy, submit } = createSending((form) =>
    signIn(formText(form, 'email').trim(), formText(form, 'password')),
  );
  return (
    <form onSubmit={(event) => void submit(event)} aria-describedby="door-says">
      <h1>Sign in</h1>
      <Refusal id="door-says" text={refused()?.message ?? props.note} />
      <TextField
        label="Email"
        problems={[]}
        input={{ name: 'email', type: 'email', autocomplete: 'username', required: true, autofocus: true }}
      />
      <TextField
        label="Password"
        problems={[]}
        input={{ name: 'password', type: 'password', autocomplete: 'current-password', required: true }}
      />
      <button class="btn primary lg" type="submit" disabled={isBusy()}>
        Sign in
      </button>
      <p class="faint t12">
        On the machine itself, <code class="mono">npm run up</code> prints a link.{' '}
        <Show when={props.canRegister}>
          <button class="link" type="button" onClick={() => props.onRegister()}>
            Create an account
          </button>
        </Show>
      </p>
    </form>
  );
};

const Register = (props: { door: Registration; onSignIn: () => void }) => {
  const { invite, register } = useSession();
  const { problems, refused, isBusy, submit } = createSending((form) =>
    register({
      email: formText(form, 'email').trim(),
      password: formText(form, 'password'),
      name: formText(form, 'name').trim() || null,
      invite: formText(form, 'invite').trim() || null,
    }),
  );
  return (
    <form onSubmit={(event) => void submit(event)} aria-describedby="door-says">
      <h1>Create an account</h1>
      <Refusal id="door-says" text={problems().length > 0 ? null : refused()?.message} />
      <TextField
        label="Email"
        problems={problems()}
        input={{ name: 'email', type: 'email', autocomplete: 'username', required: true, autofocus: true }}
      />
      <TextField
        label="Name"
        optional
        problems={problems()}
        input={{ name: 'name', autocomplete: 'name', maxLength: 100 }}
      />
      <TextField
        label="Password"
        problems={problems()}
        input={{
          name: 'password',
          type: 'password',
          autocomplete: 'new-password',
          minLength: 8,
          required: true,
        }}
      />
      <Show when={needsInvite(props.door) || invite !== null}>
        <TextField
          label="Invite"
          problems={problems()}
          input={{
            name: 'invite',
            autocomplete: 'off',
            value: invite ?? '',
            required: needsInvite(props.door),
          }}
        />
      </Show>
      <button class="btn primary lg" type="submit" disabled={isBusy()}>
        Create account
      </button>
      <p class="faint t12">
        <Show when={props.door.isFirst}>The first account is the administrator’s. </Show>
        <button class="link" type="button" onClick={() => props.onSignIn()}>
          Sign in instead
        </button>
      </p>
    </form>
  );
};

/** The door: e-mail and password, an account of one's own, or the link that the machine itself prints. */
export const SignIn = (props: { note: string | null }) => {
  const { client, invite } = useSession();
  const [isNew, setNew] = createSignal(invite !== null);
  // Until it is known, and where it can not be, one signs in.
  const [door] = createResource(() => client.registration().catch(() => null));
  const open = () => {
    const it = door();
    return it && isOpen(it) ? it : null;
  };
  document.title = 'Sign in · GPU Job Manager';
  return (
    <main class="door">
      <div class="left">
        <Brand />
        <Show
          when={isNew() && open()}
          fallback={<Enter note={props.note} canRegister={open() !== null} onRegister={() => setNew(true)} />}
        >
          {(it) => <Register door={it()} onSignIn={() => setNew(false)} />}
        </Show>
        <p class="faint t12">{location.host}</p>
      </div>
      <div class="art">
        <DoorArt />
        <div class="motto">
          <b>Every job, every try, every reason.</b>
          <span>One numbered record, from the first wait to the last byte.</span>
        </div>
      </div>
    </main>
  );
};
