import { WebSocket } from 'ws';

export interface Message {
  id?: string;
  type: string;
  payload?: unknown;
}

/** A graphql-transport-ws socket that hides nothing: what came, and how it was closed. */
export class RawSocket {
  readonly messages: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  readonly #opened: Promise<void>;
  #changed = () => {};

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', {
      headers,
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve).once('error', reject);
    });
    this.#opened.catch(() => undefined); // told by opened()
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#changed();
      });
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.#changed();
    });
  }

  /** Fails when the upgrade was refused. */
  opened = (): Promise<void> => this.#opened;

  send(message: Message | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Opens, signs in and waits for the acknowledgement. */
  async connect(token?: string): Promise<this> {
    await this.opened();
    this.send({
      type: 'connection_init',
      payload: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    await this.next((message) => message.type === 'connection_ack');
    return this;
  }

  subscribe(id: string, query: string, variables: object = {}): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
  }

  /** The first message that fits, also one that came before; fails when the socket closes without it. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      if (this.#socket.readyState === WebSocket.CLOSED)
        throw new Error(
          `Closed (${JSON.stringify(await this.closed)}) before that message: ${JSON.stringify(this.messages)}`,
        );
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  close(): void {
    this.#socket.close();
  }

  /** Drops the connection without a word. */
  terminate(): void {
    this.#socket.terminate();
  }
}
