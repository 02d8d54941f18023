import type { JSX } from 'solid-js';
import { For } from 'solid-js';
import { Icon, kindIcon } from '../../components/icon.js';
import { NowLine } from '../../components/now-line.js';
import { StatusMark } from '../../components/status-mark.js';
import { serverNow } from '../../lib/server-clock.js';
import { clockOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';
import type { JobView } from './job-view.js';

/** Status, name and who sent it. A change of status is read out; progress is not, it would never stop. */
export const JobHead = (props: { job: JobView; acts: JSX.Element }) => (
  <section class="jobhead page">
    <div class="title">
      <span role="status">
        <StatusMark job={props.job} big />
      </span>
      <h1 class="cut" title={visibleText(props.job.name)}>
        {visibleText(props.job.name)}
      </h1>
      <span class="tag">
        <Icon name={kindIcon(props.job.kind)} />
        {props.job.kind}
      </span>
      {props.acts}
    </div>
    <div class="meta">
      <span class="mono cut">{props.job.id}</span>
      <span>{visibleText(props.job.owner.name)}</span>
      <span>
        submitted{' '}
        <time dateTime={props.job.createdAt} class="num">
          {clockOf(props.job.createdAt)}
        </time>
      </span>
      <span>
        priority <span class="num">{props.job.priority}</span>
      </span>
      <For each={Object.entries(props.job.labels)}>
        {([key, value]) => (
          <span class="tag">
            <span class="faint">{visibleText(key)}</span>
            {visibleText(String(value))}
          </span>
        )}
      </For>
    </div>
    <p class="lead">
      <NowLine job={props.job} now={serverNow()} />
    </p>
  </section>
);
