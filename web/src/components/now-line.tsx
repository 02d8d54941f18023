import { Show } from 'solid-js';
import type { JobRow } from '@gjm/client/index.js';
import { nowSentence } from '@gjm/core/text/now-sentence.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import { Icon } from './icon.js';

export const percentOf = (fraction: number): string =>
  `${Math.round(Math.min(1, Math.max(0, fraction)) * 100)}%`;

/** The *Now* sentence of a job. */
export const NowLine = (props: { job: JobRow; now: number }) => {
  const line = () => nowSentence(props.job, props.now);
  return (
    <span class="now" classList={{ waits: line().isWaiting }}>
      <Show when={line().isWaiting}>
        <Icon name="hourglass" />
      </Show>
      <Show when={line().fraction !== null && props.job.status === 'RUNNING'}>
        <progress value={line().fraction ?? 0} max="1" aria-label="Progress" />
        <span class="num pct">{percentOf(line().fraction ?? 0)}</span>
      </Show>
      <Show when={line().code}>{(code) => <span class="code is-bad">{code()}</span>}</Show>
      <span class="cut" title={visibleText(line().text)}>
        {visibleText(line().text)}
      </span>
      <Show when={line().end}>{(end) => <span class="end num">{end()}</span>}</Show>
    </span>
  );
};
