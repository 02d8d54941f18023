import { Dialog } from './dialog.js';

/** Asks before what can not be undone: the title asks, the text says the effect, the safe button has the focus. */
export const ConfirmDialog = (props: {
  isOpen: boolean;
  title: string;
  text: string;
  act: string;
  keep: string;
  onAnswer: (yes: boolean) => void;
}) => (
  <Dialog isOpen={props.isOpen} title={props.title} onClose={() => props.onAnswer(false)}>
    <p class="dim">{props.text}</p>
    <div class="ends">
      <button class="btn" type="button" autofocus onClick={() => props.onAnswer(false)}>
        {props.keep}
      </button>
      <button class="btn danger primary" type="button" onClick={() => props.onAnswer(true)}>
        {props.act}
      </button>
    </div>
  </Dialog>
);
