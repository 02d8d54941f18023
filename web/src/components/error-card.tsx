import { ApiError } from '@gjm/client/index.js';
import type { CombinedError } from '@urql/core';
import { Show } from 'solid-js';
import { Icon } from './icon.js';

interface Told {
  title: string;
  text: string;
  requestId: string | null;
}

/** "Could not reach the server" and "the server said no" are different troubles and are told apart. */
function tell(error: unknown): Told {
  const combined = error as Partial<CombinedError>;
  const first = combined.graphQLErrors?.[0];
  if (first) {
    const requestId = first.extensions?.['requestId'];
    return {
      title: 'The server refused',
      text: first.message,
      requestId: typeof requestId === 'string' ? requestId : null,
    };
  }
  if (error instanceof ApiError)
    return { title: 'The server refused', text: error.message, requestId: error.requestId };
  if (combined.networkError || (error instanceof Error && error.name === 'UnreachableError'))
    return {
      title: 'The server can not be reached',
      text: (combined.networkError ?? (error as Error)).message,
      requestId: null,
    };
  return {
    title: 'That did not work',
    text: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}

export const ErrorCard = (props: { error: unknown; retry?: () => void }) => {
  const told = () => tell(props.error);
  return (
    <div class="errcard" role="alert">
      <Icon name="alert" class="is-bad" />
      <div>
        <h2>{told().title}</h2>
        <p class="dim">{told().text}</p>
        <Show when={told().requestId}>{(id) => <p class="faint t12 mono">request {id()}</p>}</Show>
        <Show when={props.retry}>
          {(retry) => (
            <button class="btn" type="button" onClick={() => retry()()}>
              Try again
            </button>
          )}
        </Show>
      </div>
    </div>
  );
};
