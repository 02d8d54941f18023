import { createSignal, onCleanup, Show } from 'solid-js';
import { Icon } from './icon.js';

/** How long a button says that it copied, in ms. */
const saidMs = 2_000;

/** Copies a text; without a clipboard (plain http on another machine) it can still be selected by hand. */
export const CopyButton = (props: { text: string; label: string }) => {
  const [isCopied, setCopied] = createSignal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(props.text).catch(() => undefined);
    setCopied(true);
    clearTimeout(timer);
    timer = setTimeout(() => setCopied(false), saidMs);
  };
  return (
    <button
      class="btn ghost icon"
      type="button"
      aria-label={isCopied() ? 'Copied' : props.label}
      title={props.label}
      onClick={() => void copy()}
    >
      <Icon name={isCopied() ? 'check' : 'copy'} />
    </button>
  );
};

/** A command to paste into a terminal, or a link to send. */
export const CopyCommand = (props: { command: string; isLink?: boolean }) => (
  <div class="cmd">
    <Show when={!props.isLink}>
      <span class="faint" aria-hidden="true">
        $
      </span>
    </Show>
    <code tabindex="0" role="group" aria-label={props.isLink ? 'Link' : 'Command'}>
      {props.command}
    </code>
    <CopyButton text={props.command} label={props.isLink ? 'Copy the link' : 'Copy the command'} />
  </div>
);
