import { createSignal, onCleanup, type Accessor } from 'solid-js';
import type { Client } from '@gjm/client/index.js';
import { keepChosen } from './chosen-pictures.js';

/** How one chosen file stands. */
export type Sending =
  | { is: 'none' }
  | { is: 'sending'; name: string; bytes: number }
  | { is: 'sent'; name: string; bytes: number | null; id: string }
  | { is: 'refused'; name: string; message: string };

export interface Upload {
  state: Accessor<Sending>;
  send: (file: File) => void;
  /** Shows a file that the server has already. */
  adopt: (id: string) => void;
  drop: () => void;
}

/** Sends a file as soon as it is chosen, so that the submit itself is instant. Another choice ends the one before. */
export function createUpload(client: Client, onId: (id: string | undefined) => void): Upload {
  const [state, setState] = createSignal<Sending>({ is: 'none' });
  let stop = new AbortController();
  const begin = (next: Sending): AbortSignal => {
    stop.abort();
    stop = new AbortController();
    onId(undefined);
    setState(next);
    return stop.signal;
  };
  onCleanup(() => stop.abort());
  const send = async (file: File): Promise<void> => {
    const { name, size: bytes, type: mediaType } = file;
    const signal = begin({ is: 'sending', name, bytes });
    try {
      const { id } = await client.upload({ name, source: file, mediaType, signal });
      if (signal.aborted) return;
      keepChosen(id, file);
      setState({ is: 'sent', name, bytes, id });
      onId(id);
    } catch (error) {
      if (!signal.aborted) setState({ is: 'refused', name, message: (error as Error).message });
    }
  };
  const adopt = async (id: string): Promise<void> => {
    const signal = begin({ is: 'sent', name: id, bytes: null, id });
    onId(id);
    const file = await client.file(id).catch(() => null);
    if (file && !signal.aborted) setState({ is: 'sent', name: file.name, bytes: Number(file.bytes), id });
  };
  return {
    state,
    send: (file) => void send(file),
    adopt: (id) => void adopt(id),
    drop: () => void begin({ is: 'none' }),
  };
}
