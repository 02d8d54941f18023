import { A, useNavigate, useParams } from '@solidjs/router';
import { createEffect, createSignal, Show } from 'solid-js';
import { ErrorCard } from '../../components/error-card.js';
import { LiveBadge } from '../../components/live-badge.js';
import { createNow } from '../../lib/server-clock.js';
import { isOver, lookOf } from '../../lib/status.js';
import { visibleText } from '../../lib/visible-text.js';
import { Artifacts } from './artifacts.js';
import { Attempts } from './attempts.js';
import { Facts } from './facts.js';
import { JobActs } from './job-acts.js';
import { JobHead } from './job-head.js';
import { createJobState, finalAt, type JobState } from './job-state.js';
import type { JobView } from './job-view.js';
import { Ledger } from './ledger.js';
import { Log } from './log.js';
import { ResultPicture } from './result-picture.js';
import { Waiting } from './waiting.js';

const Body = (props: { state: JobState; job: JobView; now: number }) => {
  const navigate = useNavigate();
  const [error, setError] = createSignal<unknown>(null);
  const acts = () => (
    <JobActs
      job={props.job}
      onChanged={props.state.reload}
      onDeleted={() => navigate('/jobs')}
      onError={setError}
    />
  );
  return (
    <>
      <JobHead job={props.job} acts={acts()} />
      <Show when={error() ?? props.state.error()}>
        {(fault) => (
          <div class="page">
            <ErrorCard error={fault()} retry={props.state.reload} />
          </div>
        )}
      </Show>
      <Facts job={props.job} now={props.now} metrics={props.state.metrics()} />
      <Show when={props.job.waiting}>{(waiting) => <Waiting waiting={waiting()} />}</Show>
      <div class="cols">
        <div>
          <ResultPicture job={props.job} />
          <Artifacts artifacts={props.job.artifacts} />
          <Log tail={props.state.log()} isOver={isOver(props.job)} />
        </div>
        <aside>
          <Attempts attempts={props.job.attempts} now={props.now} />
          <Ledger decisions={props.job.decisions} story={props.state.story()} />
        </aside>
      </div>
    </>
  );
};

const OneJob = (props: { id: string }) => {
  const now = createNow();
  const state = createJobState(props.id);
  const title = () => {
    const job = state.view();
    return job ? `${visibleText(job.name)}: ${lookOf(job).word}` : 'Job';
  };
  createEffect(() => {
    document.title = `${title()} · GPU Job Manager`;
  });
  return (
    <>
      <header class="top">
        <nav class="crumb" aria-label="Where you are">
          <A href="/jobs">Jobs</A>
          <span class="faint" aria-hidden="true">
            /
          </span>
          <span class="cut" aria-current="page">
            {visibleText(state.view()?.name ?? props.id)}
          </span>
        </nav>
        <span class="grow" />
        <LiveBadge now={now()} finalAt={finalAt(state.view())} />
      </header>
      <Show
        when={!state.isMissing()}
        fallback={
          <div class="page none">
            <h1>There is no such job</h1>
            <p class="dim">It was deleted, or it is not yours to see.</p>
            <A class="btn" href="/jobs">
              All jobs
            </A>
          </div>
        }
      >
        <Show
          when={state.view()}
          fallback={
            <Show when={state.error()} fallback={<div class="skeleton" aria-hidden="true" />}>
              {(fault) => (
                <div class="page">
                  <ErrorCard error={fault()} retry={state.reload} />
                </div>
              )}
            </Show>
          }
        >
          {(job) => <Body state={state} job={job()} now={now()} />}
        </Show>
      </Show>
    </>
  );
};

/** One job: what it does now, what it made, and why. Another id is another page, with nothing left of this one. */
export const Job = () => {
  const params = useParams<{ id: string }>();
  return (
    <Show when={params.id} keyed>
      {(id) => <OneJob id={id} />}
    </Show>
  );
};
