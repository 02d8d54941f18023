import { Show } from 'solid-js';
import { Icon } from './icon.js';

/** Why a form was not taken. The place is always there, so that what appears in it is read out. */
export const Refusal = (props: { text: string | null | undefined; id?: string }) => (
  <div id={props.id} role="alert">
    <Show when={props.text}>
      {(text) => (
        <p class="refusal">
          <Icon name="alert" />
          {text()}
        </p>
      )}
    </Show>
  </div>
);
