import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js';
import type { createCursor } from './cursor.js';
import type { JobList } from './job-list.js';
import { JobTableRow } from './job-row.js';
import { createWindowedRows } from './window-rows.js';

/** The next page is asked for when the end of this one is so near, in px. */
const nearPx = 600;

/** Loads on when its place comes near the window; the button does the same for those who do not scroll. */
const More = (props: { list: JobList }) => {
  const [place, setPlace] = createSignal<HTMLElement>();
  createEffect(() => {
    const element = place();
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && !props.list.error() && void props.list.loadMore(),
      { rootMargin: `${nearPx}px` },
    );
    // Observed anew after each page: an end that stays in sight is asked again.
    if (!props.list.isLoadingMore()) observer.observe(element);
    onCleanup(() => observer.disconnect());
  });
  return (
    <div class="more" ref={setPlace}>
      <button
        class="btn"
        type="button"
        disabled={props.list.isLoadingMore()}
        onClick={() => void props.list.loadMore()}
      >
        {props.list.isLoadingMore() ? 'Loading' : 'Load more'}
      </button>
    </div>
  );
};

/** Room of the rows that are not drawn. */
const Room = (props: { height: number }) => (
  <Show when={props.height > 0}>
    <tr class="room" aria-hidden="true">
      <td colSpan={8} style={{ height: `${props.height}px` }} />
    </tr>
  </Show>
);

export const JobTable = (props: { list: JobList; now: number; cursor: ReturnType<typeof createCursor> }) => {
  const rows = () => props.list.rows();
  const { setBody, range } = createWindowedRows(() => rows().length);
  return (
    <>
      <table class="jobs">
        <caption class="sr">Jobs, newest first, updating live</caption>
        <thead>
          <tr>
            <th class="c-st">Status</th>
            <th class="c-job">Job</th>
            <th class="c-kind">Kind</th>
            <th class="c-now">Now</th>
            <th class="c-dev">Device</th>
            <th class="c-own">Owner</th>
            <th class="c-age">Age</th>
            <th class="c-dur">Time</th>
          </tr>
        </thead>
        <tbody ref={setBody}>
          <Room height={range().before} />
          <For each={rows().slice(range().start, range().end)}>
            {(job) => (
              <JobTableRow
                job={job}
                now={props.now}
                isAt={props.cursor.at() === job.id}
                onFocus={props.cursor.setAt}
              />
            )}
          </For>
          <Room height={range().after} />
        </tbody>
      </table>
      <Show when={props.list.hasMore()}>
        <More list={props.list} />
      </Show>
    </>
  );
};
