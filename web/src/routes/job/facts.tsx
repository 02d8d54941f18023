import { For, Show, type JSX } from 'solid-js';
import { percentOf } from '../../components/now-line.js';
import { elapsedMs } from '@gjm/core/text/now-sentence.js';
import { isOver } from '../../lib/status.js';
import { estimateOf, spanOf, timerOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { JobView } from './job-view.js';
import type { MetricBook } from './metric-book.js';

/** Metrics shown among the facts; the charts show all. */
const shownMetrics = 3;
/** Stages drawn as blocks up to this many; more are one bar. */
const blocks = 40;

const Fact = (props: { name: string; children: JSX.Element }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
);

/** One block per step where there are few, else one bar. */
const Progress = (props: { progress: NonNullable<JobView['progress']> }) => {
  const total = () => props.progress.total;
  const fraction = () => props.progress.fraction ?? 0;
  const says = () => {
    const { message, step, etaSeconds } = props.progress;
    const steps = step === null ? '' : total() === null ? `Step ${step}` : `Step ${step} of ${total()}`;
    return {
      what: message ?? (steps || 'Progress'),
      left: etaSeconds === null ? '' : `, ${estimateOf(etaSeconds)} left`,
    };
  };
  return (
    <div class="wide">
      <dt>
        <span class="cut">{visibleText(says().what)}</span>
        <span class="num">
          {percentOf(fraction())}
          {says().left}
        </span>
      </dt>
      <dd>
        <Show
          when={total() !== null && (total() ?? 0) <= blocks && (total() ?? 0) > 1}
          fallback={<progress value={fraction()} max="1" aria-label="Progress" />}
        >
          <span
            class="blocks"
            role="progressbar"
            aria-label="Progress"
            aria-valuenow={Math.round(fraction() * 100)}
          >
            <For each={Array.from({ length: total() ?? 0 }, (_, i) => i)}>
              {(i) => (
                <i style={{ '--p': percentOf(Math.min(1, Math.max(0, fraction() * (total() ?? 1) - i))) }} />
              )}
            </For>
          </span>
        </Show>
      </dd>
    </div>
  );
};

/** The numbers of a job, at a glance. */
export const Facts = (props: { job: JobView; now: number; metrics: MetricBook }) => {
  const elapsed = () => elapsedMs(props.job, props.now);
  const progress = () => (props.job.status === 'RUNNING' ? props.job.progress : null);
  const time = () => (isOver(props.job) ? spanOf(elapsed()) : timerOf(elapsed()));
  const name = () => {
    if (props.job.startedAt) return isOver(props.job) ? 'Took' : 'Running';
    return isOver(props.job) ? 'Waited' : 'Waiting';
  };
  return (
    <dl class="facts">
      <Fact name={name()}>
        <span role="timer">{time()}</span>
      </Fact>
      <Show when={progress()}>{(it) => <Progress progress={it()} />}</Show>
      <Show when={props.job.devices.length > 0}>
        <Fact name={props.job.devices.length > 1 ? 'Devices' : 'Device'}>
          {visibleText(props.job.devices.map((device) => device.name).join(', '))}
        </Fact>
      </Show>
      <Show when={props.job.engine}>{(engine) => <Fact name="Engine">{engine()}</Fact>}</Show>
      <Show when={props.job.tier}>{(tier) => <Fact name="Tier">{tier()}</Fact>}</Show>
      <Show when={props.job.attempts.length > 1}>
        <Fact name="Tries">{props.job.attempts.length}</Fact>
      </Show>
      <For each={[...props.metrics.latest()].slice(0, shownMetrics)}>
        {([metric, value]) => <Fact name={visibleText(metric)}>{value}</Fact>}
      </For>
    </dl>
  );
};
