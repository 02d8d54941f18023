import { createSignal, Show } from 'solid-js';
import type { DrainInput } from '@gjm/client/generated/graphql.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Dialog } from '../../components/dialog.js';
import { Refusal } from '../../components/refusal.js';
import { Segments } from '../../components/segments.js';
import { TextField } from '../../components/text-field.js';
import { formText } from '../../lib/form-text.js';
import { createSending } from '../../lib/sending.js';
import type { Refused } from '../../lib/session.js';
import type { DrainTarget } from './drains.js';

/** In seconds; the empty one ends by an undrain alone. */
const lengths = [
  { value: '', word: 'Until undrained' },
  { value: '3600', word: '1 h' },
  { value: '7200', word: '2 h' },
  { value: '86400', word: '1 day' },
] as const;
type Length = (typeof lengths)[number]['value'];

const Questions = (props: {
  target: DrainTarget;
  send: (input: DrainInput) => Promise<Refused | null>;
  onClose: () => void;
}) => {
  const [length, setLength] = createSignal<Length>('');
  const { problems, refused, isBusy, submit } = createSending((form) =>
    props.send({
      id: props.target.id,
      forSeconds: length() === '' ? null : Number(length()),
      reason: formText(form, 'reason').trim() || null,
    }),
  );
  const what = () => {
    const { devices } = props.target;
    if (devices === null) return 'on it';
    return devices === 1 ? 'on its device' : `on its ${devices} devices`;
  };
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <p class="dim">What runs goes on to its end; nothing new starts {what()}.</p>
      <div class="field">
        <span class="label">For how long</span>
        <Segments label="For how long" options={lengths} value={length()} onChoose={setLength} />
      </div>
      <TextField
        label="Reason"
        optional
        problems={problems()}
        input={{ name: 'reason', maxLength: 200, placeholder: 'Shown to everybody', autocomplete: 'off' }}
      />
      <Refusal text={problems().length > 0 ? null : refused()?.message} />
      <div class="ends">
        <button class="btn" type="button" autofocus onClick={() => props.onClose()}>
          Leave it
        </button>
        <button class="btn primary" type="submit" disabled={isBusy()}>
          Drain
        </button>
      </div>
    </form>
  );
};

/** Asks for how long a device or a machine is to take nothing new, and why. */
export const DrainDialog = (props: {
  target: DrainTarget | null;
  send: (input: DrainInput) => Promise<Refused | null>;
  onClose: () => void;
}) => (
  <Dialog
    isOpen={props.target !== null}
    title={`Drain ${visibleText(props.target?.name ?? '')}?`}
    onClose={() => props.onClose()}
  >
    <Show when={props.target}>
      {(target) => <Questions target={target()} send={props.send} onClose={props.onClose} />}
    </Show>
  </Dialog>
);
