import type { JobDetails, JobEvent } from '@gjm/client/index.js';

export interface LedgerEntry {
  key: string;
  at: string;
  /** Who speaks: a stage of the orchestration, or the job itself. */
  stage: string;
  text: string;
  tone: 'ok' | 'bad' | 'plain';
}

const stages: Record<string, string> = {
  planner: 'Planner',
  scheduler: 'Scheduler',
  executor: 'Executor',
  evaluator: 'Evaluator',
};

const statusWords: Record<string, string> = {
  QUEUED: 'Queued',
  RUNNING: 'Started',
  SUCCEEDED: 'Succeeded',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
};

function storyEntry(event: JobEvent): LedgerEntry | null {
  const entry = { key: `e${event.sequence}`, at: event.at, stage: 'Job', tone: 'plain' as const };
  if (event.__typename === 'JobCancelRequestedEvent')
    return { ...entry, text: `${event.by.name} asked to cancel${event.reason ? `: ${event.reason}` : ''}` };
  if (event.__typename !== 'JobStatusEvent') return null;
  const why = event.failure
    ? `: ${event.failure.code}, ${event.failure.message}`
    : event.reason
      ? `: ${event.reason}`
      : '';
  const tone = event.status === 'SUCCEEDED' ? 'ok' : event.status === 'FAILED' ? 'bad' : 'plain';
  return { ...entry, tone, text: `${statusWords[event.status] ?? event.status}${why}` };
}

/** Decisions and turns of a job as one list, newest first. */
export function ledgerEntries(decisions: JobDetails['decisions'], story: readonly JobEvent[]): LedgerEntry[] {
  const told = decisions.map(({ id, stage, at, summary }): LedgerEntry => ({
    key: id,
    at,
    stage: stages[stage] ?? stage,
    text: summary,
    tone: 'plain',
  }));
  const turns = story.flatMap((event) => storyEntry(event) ?? []);
  // Both come in order, so a stable sort keeps that order within one millisecond; then the newest goes first.
  return [...told, ...turns].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).reverse();
}
