import { useSearchParams } from '@solidjs/router';
import { createEffect, createResource, For, Show } from 'solid-js';
import { ErrorCard } from '../../components/error-card.js';
import { Icon, kindIcon } from '../../components/icon.js';
import { useSession } from '../../lib/session.js';
import '../../styles/form.css';
import { SubmitForm } from './submit-form.js';

/** The first sentence is enough to choose by. */
const briefly = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

/** Submits a job of any kind this installation takes; the address says which, and which job it is filled in from. */
export const Submit = () => {
  const { client } = useSession();
  const [search] = useSearchParams<{ kind?: string; from?: string }>();
  const [kinds, { refetch }] = createResource(async () =>
    (await client.jobKinds()).filter(({ enabled }) => enabled),
  );
  const [from] = createResource(
    () => search.from,
    (id) => client.job(id).catch(() => null),
  );
  const known = () => (kinds.error ? [] : (kinds() ?? []));
  const name = () => search.kind ?? from()?.kind ?? known()[0]?.name;
  const kind = () => known().find((it) => it.name === name());
  createEffect(() => {
    document.title = `Submit · GPU Job Manager`;
  });
  return (
    <>
      <header class="top">
        <h1>Submit a job</h1>
      </header>
      <Show when={kinds.error as unknown}>
        {(error) => (
          <div class="page">
            <ErrorCard error={error()} retry={() => void refetch()} />
          </div>
        )}
      </Show>
      <div class="submit">
        <nav class="kinds" aria-label="Kinds">
          <For each={known()}>
            {(it) => (
              <a href={`/submit?kind=${it.name}`} aria-current={it.name === name() ? 'true' : 'false'}>
                <Icon name={kindIcon(it.name)} />
                <span class="medium">{it.name}</span>
                <small>{briefly(it.description)}</small>
              </a>
            )}
          </For>
        </nav>
        <Show when={!(search.from && from.loading) && kind()} keyed>
          {(chosen) => (
            <SubmitForm kind={chosen} from={from()?.kind === chosen.name ? (from() ?? null) : null} />
          )}
        </Show>
        <Show when={kinds.state === 'ready' && !kind()}>
          <p class="page none dim">This installation takes no job of that kind.</p>
        </Show>
      </div>
    </>
  );
};
