import { For, onCleanup } from 'solid-js';
import { dropToast, toastMs, toasts, type Toast } from '../lib/toasts.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon } from './icon.js';

const One = (props: { toast: Toast }) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => dropToast(props.toast.id), toastMs);
  };
  const stay = (): void => clearTimeout(timer);
  wait();
  onCleanup(stay);
  return (
    <li class="toast" onPointerEnter={stay} onPointerLeave={wait} onFocusIn={stay} onFocusOut={wait}>
      <Icon name={props.toast.tone === 'ok' ? 'check' : 'alert'} class={`is-${props.toast.tone}`} />
      <div>
        <p class="medium">{visibleText(props.toast.title)}</p>
        <p class="dim t12">{visibleText(props.toast.text)}</p>
      </div>
      <button
        class="btn ghost icon"
        type="button"
        aria-label="Dismiss"
        onClick={() => dropToast(props.toast.id)}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
};

/** Outcomes at the foot of the page, read out politely; time stops while one points at them. */
export const Toasts = () => (
  <div role="status">
    <ul class="toasts">
      <For each={toasts()}>{(toast) => <One toast={toast} />}</For>
    </ul>
  </div>
);
