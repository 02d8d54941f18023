import type { JobDetails, JobEvent } from '@gjm/client/index.js';
import { nowSentence } from '../job/now-sentence.js';
import type { Output } from '../output.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { because } from './because.js';
import { ProgressLines } from './progress-lines.js';
import { tellConnection, type JobView } from './view.js';

function textOf(event: JobEvent): string {
  switch (event.__typename) {
    case 'JobStatusEvent':
      return because(event.status, event.failure?.code, event.failure?.message ?? event.reason);
    case 'JobCancelRequestedEvent':
      return because(`CANCEL asked by ${event.by.name}`, event.reason);
    case 'JobDecisionEvent':
      return `DECISION ${event.decision.summary}`;
    case 'JobArtifactEvent':
      return `ARTIFACT ${event.artifact.name} (${sizeOf(event.artifact.bytes)})`;
    default:
      return '';
  }
}

/** For files, pipes and plain terminals: the job as it is, then one line for each change, each with its time. */
export function makeLineView(output: Output): JobView {
  let from = 0;
  const progress = new ProgressLines();
  const line = (at: string, text: string): Promise<void> => output.lines([`${at} ${visibleLine(text)}`]);
  return {
    startAfter: ({ lastSequence }) => lastSequence,
    begin: (job) => {
      from = job.lastSequence;
      const at = job.finishedAt ?? job.startedAt ?? job.createdAt;
      return line(at, because(job.status, nowSentence(job, Date.now())));
    },
    event: async (event) => {
      if (event.sequence <= from) return;
      if (event.__typename === 'JobStatusEvent') progress.startOver();
      const text = event.__typename === 'JobProgressEvent' ? progress.textOf(event) : textOf(event);
      if (text) await line(event.at, text);
    },
    connection: tellConnection((text) => output.note(text)),
    close: () => undefined,
    end: async () => undefined,
  };
}

/** NDJSON: every event after `after`, as the API has it. */
export function makeRecordView(output: Output, after: number): JobView {
  return {
    startAfter: () => after,
    begin: async () => undefined,
    event: (event) => output.record(event),
    connection: tellConnection((text) => output.note(text)),
    close: () => undefined,
    end: async () => undefined,
  };
}

/** Shows nothing until the end, and then on stderr how it ended. */
export function makeQuietView(output: Output): JobView {
  const told = (job: JobDetails): string =>
    visibleLine(because(`${job.id} ${job.status}`, nowSentence(job, Date.now())));
  return {
    startAfter: ({ lastSequence }) => lastSequence,
    begin: async () => undefined,
    event: async () => undefined,
    connection: tellConnection((text) => output.note(text)),
    close: () => undefined,
    end: async (job) => {
      if (!output.isJson) output.note(told(job));
    },
  };
}
