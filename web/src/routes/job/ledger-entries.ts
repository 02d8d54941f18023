import type { JobDetails, JobEvent } from '@gjm/client/index.js';

type Decision = JobDetails['decisions'][number];

export interface LedgerEntry {
  key: string;
  at: string;
  /** Who speaks: a stage of the orchestration, or the job itself. */
  stage: string;
  text: string;
  /** A status gives the entry its mark; a decision has none. */
  status: string | null;
  decision: Decision | null;
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
  const entry = { key: `e${event.sequence}`, at: event.at, status: null, decision: null };
  if (event.__typename === 'JobCancelRequestedEvent')
    return {
      ...entry,
      stage: event.by.name,
      text: `Asked to cancel${event.reason ? `: ${event.reason}` : '.'}`,
    };
  if (event.__typename !== 'JobStatusEvent') return null;
  const why = event.failure
    ? `: ${event.failure.code}, ${event.failure.message}`
    : event.reason
      ? `: ${event.reason}`
      : '.';
  return {
    ...entry,
    stage: 'Job',
    status: event.status,
    text: `${statusWords[event.status] ?? event.status}${why}`,
  };
}

/** Decisions and turns of a job as one list, newest first. */
export function ledgerEntries(decisions: readonly Decision[], story: readonly JobEvent[]): LedgerEntry[] {
  const told = decisions.map((decision): LedgerEntry => ({
    key: decision.id,
    at: decision.at,
    stage: stages[decision.stage] ?? decision.stage,
    text: decision.summary,
    status: null,
    decision,
  }));
  const turns = story.flatMap((event) => storyEntry(event) ?? []);
  // Both come in order, so a stable sort keeps that order within one millisecond; then the newest goes first.
  return [...told, ...turns].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).reverse();
}
