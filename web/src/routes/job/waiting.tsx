import { For, Show } from 'solid-js';
import { useFleet } from '../../lib/fleet.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { isBlocked, nowSentence } from '@gjm/core/text/now-sentence.js';
import { clockOf, estimateOf, timerOf } from '@gjm/core/text/times.js';
import { visibleText } from '@gjm/core/text/visible-text.js';
import type { JobView } from './job-view.js';
import { neededBytes, otherReasons, waitingRows, type WaitingRow } from './waiting-rows.js';

const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(2)}%`;

/** A device's memory to scale, in use, and this job's need as an outline; what does not fit hangs over the edge. */
const FitBar = (props: { row: WaitingRow; need: number; scale: number }) => {
  const memory = () => props.row.memory;
  return (
    <Show when={memory()} fallback={<span class="faint">not known</span>}>
      {(it) => {
        const over = () => Math.max(0, it().used + props.need - it().total);
        return (
          <span
            class="fit"
            role="img"
            aria-label={`${sizeOf(it().used)} of ${sizeOf(it().total)} in use; this job needs ${sizeOf(props.need)}`}
          >
            <span class="card" style={{ width: share(it().total, props.scale) }} />
            <i class="used" style={{ width: share(it().used, props.scale) }} />
            <Show when={props.need - over() > 0}>
              <i
                class="want"
                style={{
                  left: share(it().used, props.scale),
                  width: share(props.need - over(), props.scale),
                }}
              />
            </Show>
            <Show when={over() > 0}>
              <i
                class="over"
                style={{ left: share(it().total, props.scale), width: share(over(), props.scale) }}
              />
            </Show>
          </span>
        );
      }}
    </Show>
  );
};

const Rows = (props: { rows: readonly WaitingRow[]; need: number }) => {
  const scale = () =>
    Math.max(
      1,
      ...props.rows.map(({ memory }) => (memory ? Math.max(memory.total, memory.used + props.need) : 0)),
    );
  return (
    <table class="grid why">
      <thead>
        <tr>
          <th>Device</th>
          <th class="c-fit">Memory</th>
          <th>In the way</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows}>
          {(row) => (
            <tr>
              <td class="medium">
                {visibleText(row.device.name)}{' '}
                <span class="faint regular">{visibleText(row.device.worker.name)}</span>
              </td>
              <td class="c-fit">
                <FitBar row={row} need={props.need} scale={scale()} />
              </td>
              <td>
                <span class="code is-wait">{row.code}</span> {visibleText(row.text)}
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
};

/** Everything that stands between a queued job and a device. */
export const Waiting = (props: { job: JobView; waiting: NonNullable<JobView['waiting']>; now: number }) => {
  const { fleet } = useFleet();
  const rows = () => waitingRows(props.waiting, fleet.devices);
  return (
    <>
      <section class="waitblock" aria-label="Why it waits" classList={{ calm: !isBlocked(props.job) }}>
        <p class="lead">{visibleText(nowSentence(props.job, props.now).text)}</p>
        <dl class="waitgrid">
          <div>
            <dt>Waiting</dt>
            <dd>
              <span role="timer">{timerOf(props.now - Date.parse(props.job.createdAt))}</span>
            </dd>
          </div>
          <Show when={props.waiting.position}>
            {(position) => (
              <div>
                <dt>Place in line</dt>
                <dd>{position()}</dd>
              </div>
            )}
          </Show>
          <Show when={props.waiting.etaSeconds}>
            {(seconds) => (
              <div>
                <dt>Start, estimated</dt>
                <dd>
                  {estimateOf(seconds())} <small>about {clockOf(props.now + seconds() * 1_000)}</small>
                </dd>
              </div>
            )}
          </Show>
        </dl>
      </section>
      <section class="page whynot">
        <div class="sec">
          <h2>{rows().length > 0 ? 'Why not here' : 'In the way'}</h2>
          <span class="faint t12">{rows().length > 0 ? 'each device, and what stands in the way' : ''}</span>
        </div>
        <ul class="reasons">
          <For each={otherReasons(props.waiting)}>
            {(reason) => (
              <li>
                <span class="code is-wait">{reason.code}</span> {visibleText(reason.message)}
              </li>
            )}
          </For>
        </ul>
        <Show when={rows().length > 0}>
          <Rows rows={rows()} need={neededBytes(props.job)} />
        </Show>
        <Show when={props.waiting.reasons.length === 0}>
          <p class="dim">Nothing stands in its way.</p>
        </Show>
      </section>
    </>
  );
};
