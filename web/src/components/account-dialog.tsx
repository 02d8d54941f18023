import { createSignal, Show } from 'solid-js';
import { unwrap } from '@gjm/client/index.js';
import { areKeysOn, switchKeys } from '../lib/keys.js';
import { useSession, type Viewer } from '../lib/session.js';
import { chooseTheme, themeChoice } from '../lib/theme.js';
import { CopyCommand } from './copy-command.js';
import { Dialog } from './dialog.js';
import { PasswordSetting } from './password-setting.js';
import { Refusal } from './refusal.js';
import { Segments } from './segments.js';

const themes = [
  { value: 'system', word: 'System' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const;

/** An invite as a link that opens the registration with it. */
const Invite = () => {
  const { client } = useSession();
  const [link, setLink] = createSignal<string | null>(null);
  const [refusal, setRefusal] = createSignal<string | null>(null);
  const make = async (): Promise<void> => {
    try {
      const { invite } = unwrap(await client.createInvite());
      setLink(`${location.origin}/#invite=${invite}`);
    } catch (error) {
      setRefusal((error as Error).message);
    }
  };
  return (
    <div class="setting">
      <span class="medium">Invite</span>
      <Show
        when={link()}
        fallback={
          <button class="btn" type="button" onClick={() => void make()}>
            Make an invite link
          </button>
        }
      >
        {(text) => (
          <div class="stack">
            <CopyCommand command={text()} isLink />
            <span class="faint t12">Good for one account, within 24 hours. It is shown only now.</span>
          </div>
        )}
      </Show>
      <Refusal text={refusal()} />
    </div>
  );
};

/** What one may choose about the page and oneself. On phones it is the fifth place. */
export const AccountDialog = (props: {
  isOpen: boolean;
  viewer: Viewer;
  onUsers: () => void;
  onClose: () => void;
}) => {
  const { signOut } = useSession();
  return (
    <Dialog isOpen={props.isOpen} title={props.viewer.name} onClose={props.onClose}>
      <p class="faint">
        {props.viewer.email}
        <Show when={props.viewer.role === 'ADMIN'}>, administrator</Show>
      </p>
      <div class="setting">
        <span class="medium">Theme</span>
        <Segments label="Theme" options={themes} value={themeChoice()} onChoose={chooseTheme} />
      </div>
      <label class="switchrow desk-only">
        <span class="medium">Single keys act</span>
        <input
          class="switch"
          type="checkbox"
          role="switch"
          checked={areKeysOn()}
          onChange={(event) => switchKeys(event.currentTarget.checked)}
        />
      </label>
      <PasswordSetting />
      <Show when={props.viewer.role === 'ADMIN'}>
        <Invite />
        <div class="setting">
          <span class="medium">Users</span>
          <button class="btn" type="button" onClick={() => props.onUsers()}>
            Look after users
          </button>
        </div>
      </Show>
      <div class="ends">
        <button class="btn" type="button" onClick={() => void signOut()}>
          Sign out
        </button>
        <span class="grow" />
        <button class="btn" type="button" autofocus onClick={() => props.onClose()}>
          Close
        </button>
      </div>
    </Dialog>
  );
};
