import { createSignal, For, onMount, Show } from 'solid-js';
import { unwrap, type UpdateUserInput, type UserAccount } from '@gjm/client/index.js';
import { ageOf } from '@gjm/core/text/times.js';
import { useSession } from '../lib/session.js';
import { ConfirmDialog } from './confirm-dialog.js';
import { CopyCommand } from './copy-command.js';
import { Dialog } from './dialog.js';
import { Refusal } from './refusal.js';

/** So many are shown; more are found by name. */
const mostShown = 100;

/** What is asked before, since it throws somebody out. */
type Question = { act: 'disable' | 'reset'; user: UserAccount };

/** The accounts that match, and what can be done to them. */
function createUsers() {
  const { client } = useSession();
  const [users, setUsers] = createSignal<readonly UserAccount[]>([]);
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const [link, setLink] = createSignal<string | null>(null);
  let text = '';
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      setRefusal(null);
    } catch (error) {
      setRefusal((error as Error).message);
    }
  };
  const read = async (): Promise<void> => {
    const asked = text;
    const found: UserAccount[] = [];
    for await (const user of client.eachUser(asked || null)) if (found.push(user) === mostShown) break;
    if (asked === text) setUsers(found); // else a later question is on its way
  };
  return {
    users,
    refusal,
    link,
    search: (wanted: string) => {
      text = wanted;
      return attempt(read);
    },
    update: (input: UpdateUserInput) =>
      attempt(async () => {
        unwrap(await client.updateUser(input));
        await read();
      }),
    reset: (id: string) =>
      attempt(async () => {
        setLink(null);
        const { token } = unwrap(await client.resetPassword(id));
        setLink(`${location.origin}/#sign-in=${token}`);
        await read();
      }),
  };
}

const factsOf = ({ role, disabled, hasPassword, lastSeenAt }: UserAccount): string =>
  [
    role === 'ADMIN' ? 'administrator' : 'user',
    disabled ? 'disabled' : null,
    hasPassword ? null : 'no password',
    lastSeenAt === null ? 'never seen' : `seen ${ageOf(Date.now() - Date.parse(lastSeenAt))} ago`,
  ]
    .filter(Boolean)
    .join(', ');

const User = (props: {
  user: UserAccount;
  isSelf: boolean;
  onUpdate: (change: Omit<UpdateUserInput, 'id'>) => void;
  onAsk: (act: Question['act']) => void;
}) => (
  <li class="setting">
    <span>
      <span class="medium">{props.user.name}</span> <span class="faint">{props.user.email}</span>
    </span>
    <span class="faint t12">{factsOf(props.user)}</span>
    <Show when={!props.isSelf}>
      <div class="ends">
        <button
          class="btn"
          type="button"
          onClick={() => props.onUpdate({ role: props.user.role === 'ADMIN' ? 'USER' : 'ADMIN' })}
        >
          {props.user.role === 'ADMIN' ? 'Make a user' : 'Make an administrator'}
        </button>
        <button
          class="btn"
          type="button"
          onClick={() => (props.user.disabled ? props.onUpdate({ disabled: false }) : props.onAsk('disable'))}
        >
          {props.user.disabled ? 'Enable' : 'Disable'}
        </button>
        <button class="btn" type="button" onClick={() => props.onAsk('reset')}>
          Reset password
        </button>
      </div>
    </Show>
  </li>
);

const Users = (props: { viewerId: string }) => {
  const { users, refusal, link, search, update, reset } = createUsers();
  const [question, setQuestion] = createSignal<Question | null>(null);
  onMount(() => void search(''));
  const answer = (yes: boolean): void => {
    const asked = question();
    setQuestion(null);
    if (!yes || !asked) return;
    void (asked.act === 'reset' ? reset(asked.user.id) : update({ id: asked.user.id, disabled: true }));
  };
  return (
    <>
      <input
        class="input"
        type="search"
        aria-label="Name or e-mail"
        placeholder="Name or e-mail"
        onInput={(event) => void search(event.currentTarget.value.trim())}
      />
      <Refusal text={refusal()} />
      <Show when={link()}>
        {(text) => (
          <div class="stack">
            <CopyCommand command={text()} isLink />
            <span class="faint t12">Signs in once, within 24 hours, to set a password. Shown only now.</span>
          </div>
        )}
      </Show>
      <ul class="stack" aria-label="Users">
        <For each={users()}>
          {(user) => (
            <User
              user={user}
              isSelf={user.id === props.viewerId}
              onUpdate={(change) => void update({ id: user.id, ...change })}
              onAsk={(act) => setQuestion({ act, user })}
            />
          )}
        </For>
      </ul>
      <ConfirmDialog
        isOpen={question() !== null}
        title={
          question()?.act === 'reset'
            ? `Reset the password of ${question()?.user.name}?`
            : `Disable ${question()?.user.name ?? ''}?`
        }
        text="All their sessions end at once."
        act={question()?.act === 'reset' ? 'Reset' : 'Disable'}
        keep="Leave it"
        onAnswer={answer}
      />
    </>
  );
};

/** Everybody who has an account, for an ADMIN. */
export const UsersDialog = (props: { isOpen: boolean; viewerId: string; onClose: () => void }) => (
  <Dialog isOpen={props.isOpen} title="Users" isWide onClose={props.onClose}>
    <Users viewerId={props.viewerId} />
    <div class="ends">
      <button class="btn" type="button" autofocus onClick={() => props.onClose()}>
        Close
      </button>
    </div>
  </Dialog>
);
