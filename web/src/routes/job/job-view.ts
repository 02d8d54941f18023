import type { JobDetails, JobEvent } from '@gjm/client/index.js';
import { isOver } from '../../lib/status.js';

/** What the page knows of its job: the last snapshot, moved on by numbered events. `lastSequence` says how far. */
export type JobView = JobDetails;

/** Takes a snapshot unless events have already told more than it knows. An end is final. */
export function takeSnapshot(view: JobView | null, snapshot: JobView): JobView {
  if (!view) return snapshot;
  const isOld = view.lastSequence > snapshot.lastSequence || (isOver(view) && !isOver(snapshot));
  return isOld ? view : snapshot;
}

function changed(view: JobView, event: JobEvent): Partial<JobView> {
  switch (event.__typename) {
    case 'JobStatusEvent': {
      const isEnd = event.status !== 'QUEUED' && event.status !== 'RUNNING';
      return {
        status: event.status,
        statusReason: event.reason,
        failure: event.failure,
        waiting: event.status === 'QUEUED' ? view.waiting : null,
        startedAt: view.startedAt ?? (event.status === 'RUNNING' ? event.at : null),
        finishedAt: isEnd ? event.at : null,
        ...(isEnd && { permissions: { canCancel: false, canDelete: view.permissions.canDelete } }),
      };
    }
    case 'JobProgressEvent':
      return { progress: event.progress };
    case 'JobDecisionEvent':
      return { decisions: [...view.decisions, event.decision] };
    case 'JobCancelRequestedEvent':
      return { cancelRequestedAt: event.at };
    default:
      return {};
  }
}

/** Applies one event; one that the view already contains, or that comes after the end, changes nothing. */
export function applyEvent(view: JobView, event: JobEvent): JobView {
  if (event.sequence <= view.lastSequence || isOver(view)) return view;
  return { ...view, ...changed(view, event), lastSequence: event.sequence };
}

/** Whether the event changes something that only a new snapshot tells: where it runs, what it made, what one may do. */
export const needsSnapshot = (event: JobEvent): boolean =>
  event.__typename === 'JobStatusEvent' ||
  event.__typename === 'JobArtifactEvent' ||
  event.__typename === 'JobDecisionEvent';
