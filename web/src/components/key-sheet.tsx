import { For } from 'solid-js';
import { areKeysOn, keyActs, switchKeys } from '../lib/keys.js';
import { Dialog } from './dialog.js';

/** All keys of the page as it is, and the switch for those who want none. */
export const KeySheet = (props: { isOpen: boolean; onClose: () => void }) => (
  <Dialog isOpen={props.isOpen} title="Keys" onClose={props.onClose}>
    <dl class="keysheet">
      <For each={keyActs()}>
        {(act) => (
          <div>
            <dt>
              <For each={act.keys.split(' ')}>{(key) => <kbd class="kbd">{key}</kbd>}</For>
            </dt>
            <dd>{act.does}</dd>
          </div>
        )}
      </For>
    </dl>
    <label class="switchrow">
      <span>
        Single keys act
        <span class="faint t12 block">They sleep while you type. Tab, Enter and Escape always work.</span>
      </span>
      <input
        class="switch"
        type="checkbox"
        role="switch"
        checked={areKeysOn()}
        onChange={(event) => switchKeys(event.currentTarget.checked)}
      />
    </label>
    <div class="ends">
      <button class="btn" type="button" autofocus onClick={() => props.onClose()}>
        Close
      </button>
    </div>
  </Dialog>
);
