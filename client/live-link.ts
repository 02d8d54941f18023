import { createClient, type Client as SocketClient, type SubscribePayload } from 'graphql-ws/client';
import type { Session } from './session.js';

/** `live` while an acknowledged socket is open; `reconnecting` after one was lost while something still listens. */
export type ConnectionState = 'live' | 'reconnecting';

export interface LiveLinkOptions {
  url: string;
  session: Session;
  /** The WebSocket class; the runtime's own when left out. */
  webSocketImpl?: unknown;
  /** Quiet time after which a ping is sent, and how long its pong may take, in ms. */
  pingMs?: number;
  pongMs?: number;
  /** How long opening and acknowledging a socket may take, in ms. */
  connectMs?: number;
  /** How long a socket nobody uses is kept, in ms, so that going from one page to the next does not reconnect. */
  lingerMs?: number;
}

export interface Sink {
  next(result: { data?: unknown; errors?: readonly unknown[] | undefined }): void;
  error(error: unknown): void;
  complete(): void;
}

/**
 * One WebSocket for all subscriptions, opened when the first needs it. It never retries by itself: each subscription does, because only
 * it knows where to resume. A peer that stays silent is cut off: half-open sockets look connected for hours.
 */
export class LiveLink {
  readonly #client: SocketClient;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  #state: ConnectionState | null = null;
  #users = 0;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveLinkOptions) {
    const { session, pongMs = 5_000, connectMs = 10_000 } = options;
    this.#client = createClient({
      url: options.url.replace(/^http/, 'ws'),
      webSocketImpl: options.webSocketImpl,
      retryAttempts: 0,
      lazyCloseTimeout: options.lingerMs ?? 1_000,
      keepAlive: options.pingMs ?? 10_000,
      connectionParams: () => (session.authorization ? { authorization: session.authorization } : {}),
      on: {
        connecting: () => this.#cutOffIn(connectMs),
        connected: () => {
          clearTimeout(this.#deadline);
          this.#enter('live');
        },
        ping: (received) => {
          if (!received) this.#cutOffIn(pongMs);
        },
        pong: (received) => {
          if (received) clearTimeout(this.#deadline);
        },
        closed: () => {
          clearTimeout(this.#deadline);
          if (this.#users > 0) this.#enter('reconnecting');
          else this.#state = null;
        },
      },
    });
  }

  /** null until something has subscribed. */
  get state(): ConnectionState | null {
    return this.#state;
  }

  /** Returns what stops the listening. */
  onState(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** One try at one subscription. Its sink gets exactly one `error` or `complete`. Returns what ends it. */
  subscribe(payload: SubscribePayload, sink: Sink): () => void {
    this.#users += 1;
    let released = false;
    const release = (): void => {
      if (!released) this.#users -= 1;
      released = true;
    };
    const stop = this.#client.subscribe(payload, {
      next: (result) => sink.next(result),
      error: (error) => {
        release();
        sink.error(error);
      },
      complete: () => {
        release();
        sink.complete();
      },
    });
    return () => {
      release();
      stop();
    };
  }

  /** Says good-bye on an open socket and drops one that is still opening: that one may never answer. */
  close(): void {
    clearTimeout(this.#deadline);
    this.#users = 0;
    this.#listeners.clear();
    if (this.#state === 'live') void this.#client.dispose();
    else this.#client.terminate();
  }

  #cutOffIn(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#client.terminate(), ms);
  }

  #enter(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
