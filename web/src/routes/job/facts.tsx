import { For, Show } from 'solid-js';
import { percentOf } from '../../components/now-line.js';
import { elapsedMs } from '../../lib/now-sentence.js';
import { isOver } from '../../lib/status.js';
import { spanOf, timerOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';
import type { JobView } from './job-view.js';

const Fact = (props: { name: string; value: string }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.value}</dd>
  </div>
);

/** The numbers of a job, at a glance. */
export const Facts = (props: { job: JobView; now: number; metrics: ReadonlyMap<string, string> }) => {
  const elapsed = () => elapsedMs(props.job, props.now);
  const progress = () => (props.job.status === 'RUNNING' ? (props.job.progress?.fraction ?? null) : null);
  return (
    <dl class="facts page">
      <Show
        when={isOver(props.job)}
        fallback={<Fact name={props.job.startedAt ? 'Running' : 'Waiting'} value={timerOf(elapsed())} />}
      >
        <Fact name={props.job.startedAt ? 'Took' : 'Waited'} value={spanOf(elapsed())} />
      </Show>
      <Show when={progress() !== null}>
        <div class="wide">
          <dt>
            <span>Progress</span>
            <span class="num">{percentOf(progress() ?? 0)}</span>
          </dt>
          <dd>
            <progress value={progress() ?? 0} max="1" aria-label="Progress" />
          </dd>
        </div>
      </Show>
      <Show when={props.job.devices.length > 0}>
        <Fact name="Device" value={visibleText(props.job.devices.map(({ name }) => name).join(', '))} />
      </Show>
      <Show when={props.job.engine}>{(engine) => <Fact name="Engine" value={engine()} />}</Show>
      <Show when={props.job.tier}>{(tier) => <Fact name="Tier" value={tier()} />}</Show>
      <For each={[...props.metrics].slice(0, 6)}>
        {([name, value]) => <Fact name={visibleText(name)} value={value} />}
      </For>
    </dl>
  );
};
