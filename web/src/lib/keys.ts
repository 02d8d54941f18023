import { createSignal, onCleanup } from 'solid-js';
import { stepKeys } from './key-steps.js';

/** An act that a key runs. */
export interface KeyAct {
  /** One key, or several with a space between. */
  keys: string;
  /** What it does, in a few words; what the sheet shows. */
  does: string;
  run: () => void;
  /** Left out of the sheet: a second key for what another one does. */
  isHidden?: boolean;
}

/** So long the first key of a sequence waits for the next, in ms. */
const sequenceMs = 1_200;
const storageKey = 'gjm-keys';

const [acts, setActs] = createSignal<readonly KeyAct[]>([]);
const [areOn, setOn] = createSignal(localStorage.getItem(storageKey) !== 'off');

/** What the keys do on the page as it is, the page's own first. */
export const keyActs = () => [...acts()].reverse().filter(({ isHidden }) => !isHidden);

/** Whether single keys act at all; the reader decides, and it is kept. */
export const areKeysOn = areOn;

export function switchKeys(on: boolean): void {
  localStorage.setItem(storageKey, on ? 'on' : 'off');
  setOn(on);
}

/** Binds keys for as long as the component lives. Of two acts on one key the later one counts. */
export function useKeys(mine: readonly KeyAct[]): void {
  setActs((all) => [...all, ...mine]);
  onCleanup(() => setActs((all) => all.filter((act) => !mine.includes(act))));
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'));

/** Listens to the keyboard; once, by the frame. Keys sleep while one types, under a dialog, and with Ctrl, Alt or Meta. */
export function listenToKeys(): void {
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (!areOn() || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const step = stepKeys(
      pending,
      event.key,
      acts().map(({ keys }) => keys),
    );
    pending = step.pending;
    clearTimeout(timer);
    timer = setTimeout(() => (pending = ''), sequenceMs);
    const act = acts().findLast(({ keys }) => keys === step.hit);
    if (!act) return;
    event.preventDefault();
    act.run();
  };
  document.addEventListener('keydown', onKey);
  onCleanup(() => {
    clearTimeout(timer);
    document.removeEventListener('keydown', onKey);
  });
}
