import { createSignal } from 'solid-js';
import type { Refused } from './session.js';

type FormEvent = SubmitEvent & { currentTarget: HTMLFormElement };

/** Sends a form once at a time and keeps what was said against it. */
export function createSending(send: (form: FormData) => Promise<Refused | null>) {
  const [refused, setRefused] = createSignal<Refused | null>(null);
  const [isBusy, setBusy] = createSignal(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setRefused(await send(new FormData(event.currentTarget)));
    setBusy(false);
  };
  return { problems: () => refused()?.fields ?? [], refused, isBusy, submit };
}
