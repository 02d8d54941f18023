import { A } from '@solidjs/router';
import { Show } from 'solid-js';
import type { JobRow } from '@gjm/client/index.js';
import { Icon, kindIcon } from '../../components/icon.js';
import { NowLine } from '../../components/now-line.js';
import { StatusMark } from '../../components/status-mark.js';
import { elapsedMs } from '../../lib/now-sentence.js';
import { isBlocked } from '../../lib/status.js';
import { ageOf, timerOf } from '../../lib/times.js';
import { visibleText } from '../../lib/visible-text.js';

/** One job: on a wide page a row, on a phone three lines. */
export const JobTableRow = (props: { job: JobRow; now: number }) => (
  <tr>
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
    <td class="c-kind cut">{props.job.kind}</td>
    <td class="c-now">
      <NowLine job={props.job} now={props.now} />
    </td>
    <td class="c-dev cut num">
      <Show when={props.job.devices[0]} fallback={<span class="faint">any</span>}>
        {(device) => visibleText(device().name)}
      </Show>
    </td>
    <td class="c-own dim cut">{visibleText(props.job.owner.name)}</td>
    <td class="c-age num faint">
      <time dateTime={props.job.createdAt} title={new Date(props.job.createdAt).toLocaleString()}>
        {ageOf(props.now - Date.parse(props.job.createdAt))}
      </time>
    </td>
    <td class="c-dur num" classList={{ 'is-wait': isBlocked(props.job) }}>
      {timerOf(elapsedMs(props.job, props.now))}
    </td>
  </tr>
);
