import type { FromRunner } from '@gjm/core/wire/ipc.js';
import type { ProgressUpdate } from '../workloads/define.js';

/** Least time between two progress messages: a loop of empty steps must not spend its time on the channel. */
const gapMs = 10;

/** Turns what a workload says of itself into messages. Progress may be coalesced, metrics never are. */
export interface Reporter {
  progress: (update: ProgressUpdate) => void;
  metric: (name: string, value: number, step?: number) => void;
  /** Sends the latest progress if it is due. */
  beat(): void;
  /** Sends the latest progress in any case: the last one must not be lost. */
  flush(): void;
}

export function createReporter(send: (message: FromRunner) => void, now = () => performance.now()): Reporter {
  let pending: ProgressUpdate | null = null;
  let sentMs = -Infinity;
  const flush = () => {
    if (!pending) return;
    const { step, total, message = null, etaSeconds = null } = pending;
    const share = pending.fraction ?? (step !== null && total !== null && total > 0 ? step / total : null);
    const fraction = share === null ? null : Math.min(1, Math.max(0, share));
    pending = null;
    sentMs = now();
    send({ type: 'progress', fraction, step, total, message, etaSeconds });
  };
  return {
    progress(update) {
      pending = update;
    },
    metric(name, value, step) {
      const isFinite = Number.isFinite(value);
      const special = isFinite ? null : specialName(value);
      send({ type: 'metric', name, step: step ?? null, value: isFinite ? value : null, special });
    },
    beat() {
      if (pending && now() - sentMs >= gapMs) flush();
    },
    flush,
  };
}

const specialName = (value: number) => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
