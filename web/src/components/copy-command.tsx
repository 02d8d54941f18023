import { createSignal } from 'solid-js';
import { Icon } from './icon.js';

/** A command to paste into a terminal. */
export const CopyCommand = (props: { command: string }) => {
  const [copied, setCopied] = createSignal(false);
  const copy = async (): Promise<void> => {
    // Plain http has no clipboard; the text can be selected all the same.
    await navigator.clipboard?.writeText(props.command);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div class="cmd">
      <span class="faint" aria-hidden="true">
        $
      </span>
      <code>{props.command}</code>
      <button
        class="btn ghost icon"
        type="button"
        aria-label={copied() ? 'Copied' : 'Copy the command'}
        onClick={() => void copy()}
      >
        <Icon name={copied() ? 'check' : 'copy'} />
      </button>
    </div>
  );
};
