import { createSignal } from 'solid-js';

export interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  title: string;
  text: string;
}

/** At most so many are seen; the oldest goes. */
const atMost = 3;
/** A toast stays so long unless somebody points at it, in ms. */
export const toastMs = 6_000;

const [toasts, setToasts] = createSignal<readonly Toast[]>([]);
export { toasts };

let made = 0;

export const dropToast = (id: number): void =>
  void setToasts((all) => all.filter((toast) => toast.id !== id));

/** Says how an act came out, for acts whose outcome the page does not show where it was asked. */
export function toast(tone: Toast['tone'], title: string, text = ''): void {
  made += 1;
  const id = made;
  setToasts((all) => [...all, { id, tone, title, text }].slice(-atMost));
}
