import type { Viewer } from '@gjm/core/access/policy.js';
import type { StoredEvent } from '@gjm/core/wire/events.js';
import type { Files } from '../../application/files/files.js';
import { UserType } from '../account/account.type.js';
import { toArtifactOfEvent } from '../artifact/artifact.mapper.js';
import { toDecision } from '../job/job.mapper.js';
import {
  JobArtifactEvent,
  JobCancelRequestedEvent,
  JobDecisionEvent,
  JobLogEvent,
  JobMetricEvent,
  JobProgressEvent,
  JobStatusEvent,
  type JobEventType,
} from './event.type.js';

/** A stored event as `viewer` sees it: addresses are signed for them. */
export function toEvent(event: StoredEvent, files: Pick<Files, 'signUrl'>, viewer: Viewer): JobEventType {
  const at = new Date(event.at);
  const base = { jobId: event.jobId, sequence: event.sequence, at, attempt: event.attempt };
  switch (event.type) {
    case 'status':
      return Object.assign(new JobStatusEvent(), base, event.data);
    case 'progress':
      return Object.assign(new JobProgressEvent(), base, { progress: event.data });
    case 'metric':
      return Object.assign(new JobMetricEvent(), base, event.data);
    case 'log':
      return Object.assign(new JobLogEvent(), base, event.data);
    case 'decision':
      return Object.assign(new JobDecisionEvent(), base, {
        decision: toDecision({ ...event.data, jobId: event.jobId, at }),
      });
    case 'artifact':
      return Object.assign(new JobArtifactEvent(), base, {
        artifact: toArtifactOfEvent(event.data, files, viewer),
      });
    case 'cancel-requested': {
      const { by, reason } = event.data;
      return Object.assign(new JobCancelRequestedEvent(), base, {
        by: Object.assign(new UserType(), by),
        reason,
      });
    }
  }
}
