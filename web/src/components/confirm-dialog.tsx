import { createEffect } from 'solid-js';

/** Asks before what can not be undone: the title asks, the text says the effect, the safe button has the focus. */
export const ConfirmDialog = (props: {
  isOpen: boolean;
  title: string;
  text: string;
  act: string;
  keep: string;
  onAnswer: (yes: boolean) => void;
}) => {
  let dialog!: HTMLDialogElement;
  createEffect(() => {
    if (props.isOpen && !dialog.open) dialog.showModal();
    else if (!props.isOpen && dialog.open) dialog.close();
  });
  return (
    <dialog
      ref={dialog}
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
