import type { JobDetails } from '@gjm/client/index.js';
import type { Output } from '../output.js';
import { factLines, tableLines, type Column } from '../text/table.js';
import { sizeOf } from '@gjm/core/text/sizes.js';
import { estimateOf, momentOf, spanOf, timerOf } from '@gjm/core/text/times.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { elapsedMs } from '@gjm/core/text/now-sentence.js';
import { nowSentence } from './now-sentence.js';
import { markOf, paintStatus } from './status-look.js';

type Attempt = JobDetails['attempts'][number];
type Artifact = JobDetails['artifacts'][number];
type Decision = JobDetails['decisions'][number];

const spanBetween = (from: string | null, to: string | null): string =>
  from && to ? spanOf(Date.parse(to) - Date.parse(from)) : '';

const attemptColumns: Column<Attempt>[] = [
  { title: '#', text: ({ number }) => String(number) },
  { title: 'OUTCOME', text: ({ outcome }) => outcome ?? 'LIVES' },
  { title: 'ENGINE', text: ({ engine }) => visibleLine(engine ?? '–') },
  { title: 'TIER', text: ({ tier }) => visibleLine(tier ?? '–'), from: 100 },
  {
    title: 'DEVICE',
    text: ({ devices }) => devices.map(({ name }) => visibleLine(name)).join(', '),
    least: 8,
  },
  { title: 'TOOK', text: ({ startedAt, finishedAt }) => spanBetween(startedAt, finishedAt) },
  {
    title: 'FAILURE',
    text: ({ failure }) => (failure ? visibleLine(`${failure.code}: ${failure.message}`) : ''),
    least: 10,
  },
];

const decisionColumns: Column<Decision>[] = [
  { title: 'AT', text: ({ at }) => momentOf(at) },
  { title: 'STAGE', text: ({ stage }) => visibleLine(stage) },
  { title: 'DECISION', text: ({ summary }) => visibleLine(summary), least: 20 },
];

/** Why each attempt did not have a better engine, what it took, and how a program was contained. */
function auditLines(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ number, audit, usage, containment }) => {
    const skipped = audit.skipped.map(({ engine, code, message }) => `${engine} (${code}): ${message}`);
    const took = usage && usageSentence(usage);
    return [...skipped, ...(took ? [took] : []), ...(containment ? [containment] : [])].map((line) =>
      visibleLine(`  #${number} ${line}`),
    );
  });
}

function usageSentence(usage: NonNullable<Attempt['usage']>): string {
  const share = (value: number | null) => (value === null ? '–' : `${Math.round(value * 100)} %`);
  const parts = [
    `used ${share(usage.meanUtilisation)} on average, ${share(usage.peakUtilisation)} at most`,
    usage.peakMemoryBytes === null ? '' : `${sizeOf(usage.peakMemoryBytes)} of memory`,
    usage.joules === null ? '' : `${(usage.joules / 3_600).toFixed(2)} Wh`,
    usage.gpuSeconds === null ? '' : `${usage.gpuSeconds.toFixed(1)} GPU s`,
  ];
  return `${parts.filter(Boolean).join(', ')}${usage.isEstimate ? ' (an estimate: the device was shared)' : ''}`;
}

/** Columns of `artifacts ls` and of `show`. */
export const artifactColumns: Column<Artifact>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'NAME', text: ({ name }) => visibleLine(name), least: 8 },
  { title: 'SIZE', text: ({ bytes }) => sizeOf(bytes) },
  { title: 'TYPE', text: ({ mediaType }) => visibleLine(mediaType), least: 8, from: 90 },
  { title: 'SHA-256', text: ({ sha256 }) => sha256, from: 150 },
];

const labelsOf = (job: JobDetails): string =>
  Object.entries(job.labels)
    .map(([key, value]) => visibleLine(`${key}=${String(value)}`))
    .join(' ');

/** What it asks of its device and tier; empty for anything. */
const wishes = ({ deviceSelector, requestedTier }: JobDetails): string =>
  [
    ...(requestedTier === null ? [] : [`tier ${requestedTier}`]),
    ...Object.entries(deviceSelector).map(
      ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ]
    .map(visibleLine)
    .join(', ');

function facts(job: JobDetails, output: Output, now: number): string[] {
  const { paint } = output;
  const failure = job.failure;
  return factLines(
    [
      ['Job', paint.bold(visibleLine(job.name))],
      ['Id', job.id],
      ['Kind', visibleLine(job.tier ? `${job.kind}, tier ${job.tier}` : job.kind)],
      ['Status', paintStatus(paint, job, `${markOf(job)} ${job.status}`)],
      ['Now', nowSentence(job, now)],
      ['Failure', failure && `${failure.code} (${failure.origin}${failure.retryable ? ', retryable' : ''})`],
      ['Owner', visibleLine(job.owner.name)],
      ['Labels', labelsOf(job)],
      ['Priority', String(job.priority)],
      [
        'Limits',
        `${spanOf(job.timeoutSeconds * 1_000)} an attempt, ${job.maxAttempts} ${job.maxAttempts === 1 ? 'try' : 'tries'}`,
      ],
      ['Wants', wishes(job)],
      ['Engine', job.engine && visibleLine(job.engine)],
      ['Device', job.devices.map(({ name }) => visibleLine(name)).join(', ')],
      ['Submitted', momentOf(job.createdAt)],
      ['Started', job.startedAt && momentOf(job.startedAt)],
      ['Finished', job.finishedAt && momentOf(job.finishedAt)],
      ['Time', timerOf(elapsedMs(job, now))],
      ['Params', visibleLine(JSON.stringify(job.params))],
    ],
    paint.dim,
  );
}

function waitingLines({ waiting }: JobDetails): string[] {
  if (!waiting) return [];
  const place = waiting.position === null ? '' : `place ${waiting.position} in line`;
  const eta = waiting.etaSeconds === null ? '' : estimateOf(waiting.etaSeconds);
  const reasons = waiting.reasons.map(({ code, message }) => `  ${visibleLine(`${code}: ${message}`)}`);
  return [['Waits', place, eta].filter(Boolean).join(', '), ...reasons];
}

/** Everything about one job, as lines; `now` in ms. */
export function jobPage(job: JobDetails, output: Output, now: number): string[] {
  const { paint } = output;
  const cells = output.cells();
  const section = <Row>(title: string, columns: Column<Row>[], rows: Row[]): string[] =>
    rows.length === 0 ? [] : ['', paint.bold(title), ...tableLines(columns, rows, cells, paint.dim)];
  const waiting = waitingLines(job);
  return [
    ...facts(job, output, now),
    ...(waiting.length > 0 ? ['', ...waiting] : []),
    ...section('Attempts', attemptColumns, job.attempts),
    ...(auditLines(job.attempts).length > 0 ? ['', paint.bold('Engines and use')] : []),
    ...auditLines(job.attempts),
    ...section('Decisions', decisionColumns, job.decisions),
    ...section('Artifacts', artifactColumns, job.artifacts),
  ];
}
