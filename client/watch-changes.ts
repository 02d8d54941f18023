import type { TypedDocumentString } from './generated/graphql.js';
import { BoundedQueue, OverflowError } from './bounded-queue.js';
import { UnreachableError } from './errors.js';
import type { ConnectionState, LiveLink } from './live-link.js';
import { anySignal } from './pause.js';
import { Recovery } from './recovery.js';
import { StateReport } from './state-report.js';
import { drain, feed, queueLimit } from './subscribe.js';
import type { LiveContext } from './watch-job.js';

/**
 * `read-again`: changes may have been missed (the first connection, each later one, and whenever the reader was too slow), so read the
 * page now. `change`: one thing's newest state.
 */
export type Change<T> = { kind: 'read-again' } | { kind: 'change'; value: T };

export interface ChangesOptions {
  signal?: AbortSignal | undefined;
  onState?: ((state: ConnectionState) => void) | undefined;
}

/**
 * The server does not say when a subscription is active. Reading at once shows something early; reading again after this long, in ms,
 * catches what changed between that reading and the subscription.
 */
const settleMs = 1_500;

/** Calls `mark` when the socket is live, and once more when the subscription surely is. Returns what stops it. */
function markReadings(link: LiveLink, mark: () => void): () => void {
  let settled: ReturnType<typeof setTimeout> | undefined;
  const connected = (): void => {
    mark();
    clearTimeout(settled);
    settled = setTimeout(mark, settleMs);
  };
  const forget = link.onState((state) => state === 'live' && connected());
  if (link.state === 'live') connected();
  return () => {
    forget();
    clearTimeout(settled);
  };
}

/** Changes without numbers, for as long as the loop runs. Ends only by the signal, by close, or by a refusal (ApiError). */
export async function* watchChanges<Result, Variables extends Record<string, unknown>, T>(
  live: LiveContext,
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  pick: (result: Result) => T,
  options: ChangesOptions = {},
): AsyncGenerator<Change<T>, void, void> {
  const signal = anySignal(live.closed, options.signal);
  const recovery = new Recovery(live.session, signal, live.rests);
  const state = new StateReport(live.link, options.onState);
  try {
    for (;;) {
      recovery.begin();
      state.begin();
      const queue = new BoundedQueue<Change<T>>(queueLimit);
      const unmark = markReadings(live.link, () => queue.push({ kind: 'read-again' }));
      const stop = feed(live.link, document, variables, queue, (result): Change<T> => ({
        kind: 'change',
        value: pick(result),
      }));
      try {
        for await (const change of drain(queue, signal, () => (unmark(), stop()))) {
          if (change.kind === 'change') recovery.progressed();
          yield change;
        }
        throw new UnreachableError('The server ended the stream of changes.');
      } catch (error) {
        if (!signal.aborted && !(error instanceof OverflowError)) state.enter('reconnecting');
        await recovery.after(error);
      }
    }
  } finally {
    state.stop();
  }
}
