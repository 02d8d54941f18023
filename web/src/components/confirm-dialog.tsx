import { createEffect, createSignal } from 'solid-js';

/** Asks before what can not be undone: the title asks, the text says the effect, the safe button has the focus. */
export const ConfirmDialog = (props: {
  isOpen: boolean;
  title: string;
  text: string;
  act: string;
  keep: string;
  onAnswer: (yes: boolean) => void;
}) => {
  const [dialog, setDialog] = createSignal<HTMLDialogElement>();
  createEffect(() => {
    const element = dialog();
    if (props.isOpen) element?.showModal();
    else element?.close();
  });
  return (
    <dialog
      ref={setDialog}
      class="dialog"
      aria-labelledby="confirm-title"
      onClose={() => props.isOpen && props.onAnswer(false)}
    >
      <h2 id="confirm-title">{props.title}</h2>
      <p class="dim">{props.text}</p>
      <div class="row end">
        <button class="btn" type="button" autofocus onClick={() => props.onAnswer(false)}>
          {props.keep}
        </button>
        <button class="btn danger primary" type="button" onClick={() => props.onAnswer(true)}>
          {props.act}
        </button>
      </div>
    </dialog>
  );
};
