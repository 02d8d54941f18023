import type { JSX } from 'solid-js';
import { For, Show } from 'solid-js';
import { CopyButton } from '../../components/copy-command.js';
import { Icon, kindIcon } from '../../components/icon.js';
import { NowLine } from '../../components/now-line.js';
import { StatusMark } from '../../components/status-mark.js';
import { clockOf } from '@gjm/core/text/times.js';
import { momentInFull } from '../../lib/moment.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { JobView } from './job-view.js';

/** Whether there is a sentence that the facts below do not tell: why it failed, who cancelled it. */
const isTold = ({ status, cancelRequestedAt }: JobView): boolean =>
  status === 'FAILED' || status === 'CANCELLED' || (status === 'RUNNING' && cancelRequestedAt !== null);

/** Status, name and who sent it. A change of status is read out; progress is not, it would never stop. */
export const JobHead = (props: { job: JobView; now: number; acts: JSX.Element }) => (
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
      <span class="row">
        <span class="mono cut">{props.job.id}</span>
        <CopyButton text={props.job.id} label="Copy the id" />
      </span>
      <span>{visibleText(props.job.owner.name)}</span>
      <span>
        submitted{' '}
        <time dateTime={props.job.createdAt} title={momentInFull(props.job.createdAt)} class="num">
          {clockOf(props.job.createdAt)}
        </time>
      </span>
      <span>
        priority <span class="num">{props.job.priority}</span>
      </span>
      <Show when={props.job.deviceCount > 1}>
        <span>
          on <span class="num">{props.job.deviceCount}</span> devices at once
        </span>
      </Show>
      <For each={Object.entries(props.job.labels)}>
        {([key, value]) => (
          <span class="tag">
            <span class="faint">{visibleText(key)}</span> {visibleText(String(value))}
          </span>
        )}
      </For>
    </div>
    <Show when={isTold(props.job)}>
      <p class="says">
        <NowLine job={props.job} now={props.now} />
      </p>
    </Show>
  </section>
);
