import { mostMetrics, type FromRunner, type RunnerMetric } from '@gjm/core/wire/ipc.js';
import type { ProgressUpdate } from '../workloads/define.js';

/** Least time between two messages: a loop of short steps must not spend its time on the channel. */
const gapMs = 50;

/** Turns what a workload says of itself into messages. Of progress only the latest is sent; metrics are all sent, several in one message. */
export interface Reporter {
  progress: (update: ProgressUpdate) => void;
  metric: (name: string, value: number, step?: number) => void;
  /** Sends what there is if it is due. */
  beat(): void;
  /** Sends what there is in any case: the last must not be lost, nor come after what follows from it. */
  flush(): void;
}

export function createReporter(send: (message: FromRunner) => void, now = () => performance.now()): Reporter {
  let pending: ProgressUpdate | null = null;
  let metrics: RunnerMetric[] = [];
  let sentMs = -Infinity;
  const sendMetrics = () => {
    if (metrics.length > 0) send({ type: 'metrics', metrics });
    metrics = [];
  };
  const flush = () => {
    sentMs = now();
    sendMetrics();
    if (!pending) return;
    const { step, total, message = null, etaSeconds = null } = pending;
    const share = pending.fraction ?? (step !== null && total !== null && total > 0 ? step / total : null);
    const fraction = share === null ? null : Math.min(1, Math.max(0, share));
    pending = null;
    send({ type: 'progress', fraction, step, total, message, etaSeconds });
  };
  return {
    progress(update) {
      pending = update;
    },
    metric(name, value, step) {
      const isFinite = Number.isFinite(value);
      const special = isFinite ? null : specialName(value);
      metrics.push({ name, step: step ?? null, value: isFinite ? value : null, special });
      if (metrics.length === mostMetrics) sendMetrics();
    },
    beat() {
      if ((pending || metrics.length > 0) && now() - sentMs >= gapMs) flush();
    },
    flush,
  };
}

const specialName = (value: number) => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
