import type { ArtifactFacts, EventBody, JobProgress, NewEvent } from '../wire/events.js';
import type { ReportItem } from '../wire/worker-api.js';

/** Where a job's stored log and an attempt's reports stand. */
export interface ReportState {
  attemptNumber: number;
  /** The last report number that is stored. */
  reportedNumber: number;
  logBytes: number;
  logCut: boolean;
  /** Checkpoints of this attempt that the items may name, by id. */
  checkpoints: ReadonlyMap<string, ArtifactFacts>;
}

/** What a report adds: events in order, and the state after it. */
export interface ReportEffect {
  events: NewEvent[];
  lastNumber: number;
  progress: JobProgress | undefined;
  log: { addedBytes: number; cut: boolean };
}

/**
 * Turns reported items into events. Items with a number already stored are skipped, so a report may come twice. Log chunks beyond
 * `logLimit` bytes per job are dropped behind one SYSTEM line; a checkpoint that is no longer kept makes no event; everything else goes on.
 */
export function effectOfReport(
  items: readonly ReportItem[],
  state: ReportState,
  logLimit: number,
): ReportEffect {
  const effect: ReportEffect = {
    events: [],
    lastNumber: state.reportedNumber,
    progress: undefined,
    log: { addedBytes: 0, cut: state.logCut },
  };
  for (const item of items) {
    if (item.number <= effect.lastNumber) continue;
    if (item.number !== effect.lastNumber + 1) break; // a hole: what follows comes again once the hole is filled
    effect.lastNumber = item.number;
    const body = bodyOf(item, state.checkpoints);
    if (!body) continue;
    if (body.type === 'progress') effect.progress = body.data;
    if (body.type === 'log' && !takeLog(effect, body.data.text, state, logLimit)) continue;
    effect.events.push({ ...body, attempt: state.attemptNumber });
  }
  return effect;
}

/** Whether this chunk is still stored; at the limit it leaves the SYSTEM line in its place. */
function takeLog(effect: ReportEffect, text: string, state: ReportState, logLimit: number): boolean {
  if (effect.log.cut) return false;
  const bytes = utf8Length(text);
  if (state.logBytes + effect.log.addedBytes + bytes <= logLimit) {
    effect.log.addedBytes += bytes;
    return true;
  }
  effect.log.cut = true;
  const line = `The log is longer than ${logLimit} bytes; the rest is not shown here.\n`;
  effect.events.push({
    type: 'log',
    attempt: state.attemptNumber,
    data: { stream: 'SYSTEM', text: line, firstLine: 1 },
  });
  return false;
}

/** Bytes of the text in UTF-8, counted without encoding it. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
  }
  return bytes;
}

function bodyOf(item: ReportItem, checkpoints: ReportState['checkpoints']): EventBody | null {
  switch (item.type) {
    case 'progress': {
      const { fraction, step, total, message, etaSeconds } = item;
      return { type: 'progress', data: { fraction, step, total, message, etaSeconds } };
    }
    case 'metric':
      return {
        type: 'metric',
        data: { name: item.name, step: item.step, value: item.value, special: item.special },
      };
    case 'log':
      return { type: 'log', data: { stream: item.stream, text: item.text, firstLine: item.firstLine } };
    case 'checkpoint': {
      const data = checkpoints.get(item.artifactId);
      return data ? { type: 'artifact', data } : null;
    }
  }
}
