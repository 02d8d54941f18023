import { A } from '@solidjs/router';
import { Show } from 'solid-js';
import type { JobRow } from '@gjm/client/index.js';
import { Icon, kindIcon } from '../../components/icon.js';
import { NowLine } from '../../components/now-line.js';
import { StatusMark } from '../../components/status-mark.js';
import { elapsedMs, isBlocked } from '@gjm/core/text/now-sentence.js';
import { ageOf, timerOf } from '@gjm/core/text/times.js';
import { momentInFull } from '../../lib/moment.js';
import { visibleText } from '@gjm/core/text/visible-text.js';

/** One job: on a wide page a row, on a phone three lines. */
export const JobTableRow = (props: {
  job: JobRow;
  now: number;
  isAt: boolean;
  onFocus: (id: string) => void;
}) => (
  <tr data-id={props.job.id} classList={{ at: props.isAt }} onFocusIn={() => props.onFocus(props.job.id)}>
    <td class="c-st">
      <StatusMark job={props.job} />
    </td>
    <td class="c-job">
      <span class="name">
        <Icon name={kindIcon(props.job.kind)} />
        <A class="cut" href={`/jobs/${props.job.id}`} title={visibleText(props.job.name)}>
          {visibleText(props.job.name)}
        </A>
      </span>
    </td>
    <td class="c-kind">
      <span class="cut block" title={props.job.kind}>
        {props.job.kind}
      </span>
    </td>
    <td class="c-now">
      <NowLine job={props.job} now={props.now} />
    </td>
    <td class="c-dev num">
      <Show
        when={props.job.devices[0]}
        fallback={<span class="faint">{props.job.status === 'QUEUED' ? 'any' : ''}</span>}
      >
        {(device) => (
          <span class="cut block" title={visibleText(device().name)}>
            {visibleText(device().name)}
          </span>
        )}
      </Show>
    </td>
    <td class="c-own dim">
      <span class="cut block">{visibleText(props.job.owner.name)}</span>
    </td>
    <td class="c-age num faint">
      <time dateTime={props.job.createdAt} title={momentInFull(props.job.createdAt)}>
        {ageOf(props.now - Date.parse(props.job.createdAt))}
      </time>
    </td>
    <td class="c-dur num" classList={{ 'is-wait': isBlocked(props.job) }}>
      {timerOf(elapsedMs(props.job, props.now))}
    </td>
  </tr>
);
