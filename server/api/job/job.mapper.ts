import { auditOfAttempt } from '@gjm/core/plan/attempt-audit.js';
import type { Waiting } from '@gjm/core/schedule/waiting.js';
import type { AttemptRecord, DecisionRecord, JobRecord } from '../../application/records.js';
import { EngineAuditType } from '../device/device.type.js';
import {
  AttemptAuditType,
  AttemptType,
  AttemptUsageType,
  DecisionType,
  JobType,
  WaitingType,
  WaitReasonType,
} from './job.type.js';

export const toJob = (record: JobRecord): JobType =>
  Object.assign(new JobType(), {
    record,
    id: record.id,
    kind: record.kind,
    name: record.name,
    params: record.params,
    labels: record.labels,
    status: record.status,
    statusReason: record.statusReason,
    priority: record.priority,
    deviceSelector: record.deviceSelector,
    deviceCount: record.deviceCount,
    timeoutSeconds: record.timeoutSeconds,
    maxAttempts: record.maxAttempts,
    requestedTier: record.requestedTier,
    progress: record.progress,
    createdAt: record.createdAt,
    startedAt: record.startedAt,
    finishedAt: record.finishedAt,
    cancelRequestedAt: record.cancelRequestedAt,
    failure: record.failure,
    tier: record.tier,
    engine: record.engine,
    lastSequence: record.lastSequence,
  });

export const toAttempt = (record: AttemptRecord, { plan }: Pick<JobRecord, 'plan'>): AttemptType =>
  Object.assign(new AttemptType(), {
    id: record.id,
    number: record.number,
    outcome: record.outcome,
    engine: record.engine,
    tier: record.tier,
    startedAt: record.startedAt,
    finishedAt: record.finishedAt,
    failure: record.failure,
    audit: toAudit(record, plan.engines),
    usage: record.usage && Object.assign(new AttemptUsageType(), record.usage),
    containment: record.containment,
  });

function toAudit({ engine, engineAudit }: AttemptRecord, planned: readonly string[]): AttemptAuditType {
  const audit = auditOfAttempt(planned, engine, engineAudit);
  return Object.assign(new AttemptAuditType(), {
    ...audit,
    skipped: audit.skipped.map((row) => Object.assign(new EngineAuditType(), row)),
  });
}

export const toDecision = ({
  id,
  stage,
  at,
  attempt,
  summary,
  policyVersion,
  data,
}: DecisionRecord): DecisionType =>
  Object.assign(new DecisionType(), { id, stage, at, attempt, summary, policyVersion, data });

export const toWaiting = ({ position, etaSeconds, reasons }: Waiting): WaitingType =>
  Object.assign(new WaitingType(), {
    position,
    etaSeconds,
    reasons: reasons.map((reason) => Object.assign(new WaitReasonType(), reason)),
  });
