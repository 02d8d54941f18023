import { A, useNavigate, useParams } from '@solidjs/router';
import { createEffect, lazy, Show, Suspense } from 'solid-js';
import { ErrorCard } from '../../components/error-card.js';
import { LiveBadge } from '../../components/live-badge.js';
import { useKeys } from '../../lib/keys.js';
import { createNow } from '../../lib/server-clock.js';
import { isOver, lookOf } from '../../lib/status.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import '../../styles/job.css';
import { Artifacts } from './artifacts.js';
import { Facts } from './facts.js';
import { JobActs } from './job-acts.js';
import { JobHead } from './job-head.js';
import { createJobState, finalAt, type JobState } from './job-state.js';
import type { JobView } from './job-view.js';
import { Lanes } from './lanes.js';
import { Ledger } from './ledger.js';
import { Log } from './log.js';
import { Params } from './params.js';
import { ResultPicture } from './result-picture.js';
import { Waiting } from './waiting.js';

const Charts = lazy(async () => ({ default: (await import('./charts.js')).Charts }));

const Skeleton = () => (
  <div class="jobskeleton page" aria-hidden="true">
    <i class="sk title" />
    <i class="sk" />
    <i class="sk facts-sk" />
    <i class="sk log-sk" />
  </div>
);

const Missing = () => (
  <div class="page none">
    <h1>There is no such job</h1>
    <p class="dim">It was deleted, or it is not yours to see.</p>
    <A class="btn" href="/jobs">
      All jobs
    </A>
  </div>
);

/** The raw log of the newest attempt that has one. */
const rawLogOf = (job: JobView) =>
  job.attempts.flatMap(({ artifacts }) => artifacts.filter(({ role }) => role === 'LOG')).at(-1) ?? null;

const Body = (props: { state: JobState; job: JobView; now: number }) => (
  <>
    <JobHead
      job={props.job}
      now={props.now}
      acts={<JobActs job={props.job} onChanged={props.state.reload} />}
    />
    <Show when={props.state.error()}>
      {(fault) => (
        <div class="page">
          <ErrorCard error={fault()} retry={props.state.reload} />
        </div>
      )}
    </Show>
    <Show
      when={props.job.waiting}
      fallback={<Facts job={props.job} now={props.now} metrics={props.state.metrics()} />}
    >
      {(waiting) => <Waiting job={props.job} waiting={waiting()} now={props.now} />}
    </Show>
    <Lanes job={props.job} firstSigns={props.state.firstSigns()} now={props.now} />
    <div class="cols">
      <div>
        <Show when={props.state.metrics().names.length > 0}>
          <Suspense fallback={<i class="sk chart-sk" aria-hidden="true" />}>
            <Charts book={props.state.metrics()} />
          </Suspense>
        </Show>
        <ResultPicture job={props.job} />
        <Artifacts artifacts={props.job.artifacts} />
        <Log
          book={props.state.log()}
          above={props.state.above()}
          isReading={props.state.isReading()}
          isOver={isOver(props.job)}
          raw={rawLogOf(props.job)}
        />
      </div>
      <aside aria-label="Decisions and params">
        <Ledger decisions={props.job.decisions} story={props.state.story()} />
        <Params job={props.job} />
      </aside>
    </div>
  </>
);

const OneJob = (props: { id: string }) => {
  const now = createNow();
  const navigate = useNavigate();
  const state = createJobState(props.id);
  useKeys([{ keys: 'u', does: 'Up to the list', run: () => navigate('/jobs') }]);
  const title = () => {
    const job = state.view();
    return job ? `${lookOf(job).word}: ${visibleText(job.name)}` : 'Job';
  };
  createEffect(() => {
    document.title = `${title()} · GPU Job Manager`;
  });
  return (
    <>
      <header class="top">
        <nav class="crumb" aria-label="Where you are">
          <A href="/jobs">Jobs</A>
          <span class="faint sep" aria-hidden="true">
            /
          </span>
          <span class="cut" aria-current="page">
            {visibleText(state.view()?.name ?? props.id)}
          </span>
        </nav>
        <span class="grow" />
        <LiveBadge now={now()} finalAt={finalAt(state.view())} />
      </header>
      <Show when={!state.isMissing()} fallback={<Missing />}>
        <Show
          when={state.view()}
          fallback={
            <Show when={state.error()} fallback={<Skeleton />}>
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
