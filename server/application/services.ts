import type { DataSource } from 'typeorm';
import type { Viewer } from '@gjm/core/access/policy.js';
import { defaultPolicy } from '@gjm/core/policy/policy.js';
import type { Timing } from '@gjm/core/timing.js';
import type { Kind } from '@gjm/core/workload/define.js';
import { kinds } from '@gjm/core/workload/kinds.js';
import type { TransactionalDatabase } from '../persistence/database.js';
import { createDrains, type Drains } from './drain.js';
import { FleetRepository } from '../persistence/fleet.repository.js';
import { JobRepository } from '../persistence/job.repository.js';
import { createBackground } from './background.js';
import { createCancelJob, type CancelJob } from './cancel-job.js';
import { createJobChanger, type JobChanger } from './change-job.js';
import { createClaimAttempt, type ClaimAttempt } from './claim-attempt.js';
import { createDeleteJob, type DeleteJob } from './delete-job.js';
import { isKindEnabled, type KindRules } from './enabled-kinds.js';
import type { EndedAttempts } from './ended-attempts.js';
import type { ExpiredAttempts } from './expire-attempts.js';
import type { PassPoint } from './fault.js';
import type { Files } from './files/files.js';
import { createFinishAttempt, type FinishAttempt } from './finish-attempt.js';
import { createJobInputs } from './job-inputs.js';
import { Pokes } from './pokes.js';
import type { ArtifactStore, Logger, PubSub, SlotQueues } from './ports.js';
import { createRecordReport, type RecordReport } from './record-report.js';
import { createScheduling } from './scheduling.js';
import type { StaleWrites } from './stale-writes.js';
import { createSubmitJob, type SubmitJob } from './submit-job.js';
import { WaitingRoom } from './waiting.js';
import type { WakeUps } from './wake-ups.js';
import { DeviceHub } from './watch-devices.js';
import { JobHubs } from './watch-hub.js';
import { JobListHub } from './watch-jobs.js';
import { createWorkerSessions, type WorkerSessions } from './worker-sessions.js';

export interface ServiceDependencies extends KindRules {
  dataSource: DataSource;
  database: TransactionalDatabase;
  store: ArtifactStore;
  files: Pick<Files, 'findUsableFile'>;
  queues: SlotQueues;
  pubsub: PubSub;
  timing: Timing;
  /** What workers are told about Redis. */
  workerRedis: { url: string; prefix: string };
  /** Bytes of log events kept per job. */
  logBytes: number;
  eventDays: number;
  scrapDays: number;
  pass: PassPoint;
  logger: Logger;
}

/** Everything about jobs and workers that a door (GraphQL, worker API) may call. */
export interface Services {
  kinds: readonly Kind[];
  isKindEnabled: (kind: Kind, viewer: Viewer | null) => boolean;
  jobs: JobRepository;
  fleet: FleetRepository;
  database: TransactionalDatabase;
  submitJob: SubmitJob;
  cancelJob: CancelJob;
  deleteJob: DeleteJob;
  drains: Drains;
  workers: WorkerSessions;
  claimAttempt: ClaimAttempt;
  recordReport: RecordReport;
  finishAttempt: FinishAttempt;
  waiting: WaitingRoom;
  hubs: JobHubs;
  jobList: JobListHub;
  deviceHub: DeviceHub;
  pokes: Pokes;
  stale: StaleWrites;
  expired: ExpiredAttempts;
  ended: EndedAttempts;
  /** Begins ticking, sweeping and listening. */
  start(): void;
  /** Stops all of it; what is in progress ends first. Idempotent. */
  close(): Promise<void>;
}

/** Wires the job application. Nothing runs before {@link Services.start}. */
export function createServices(dependencies: ServiceDependencies): Services {
  const { dataSource, database, pubsub, timing, logger } = dependencies;
  const jobs = new JobRepository(dataSource);
  const fleet = new FleetRepository(dataSource);
  const ended: EndedAttempts = { outcomes: {}, causes: {} };
  const scheduling = createScheduling({ ...dependencies, policy, tickMs: timing.tickMs });
  const changer = createJobChanger(database, scheduling.wakeUps, timing, ended);
  const background = createBackground(dependencies, scheduling, changer);
  const parts: Parts = { ...dependencies, jobs, changer, wakeUps: scheduling.wakeUps };
  const hubs = new JobHubs({ database, pubsub, logger });
  const live = {
    jobList: new JobListHub(jobs, pubsub, logger),
    deviceHub: new DeviceHub(fleet, pubsub, logger),
    pokes: new Pokes(pubsub),
  };
  let closing: Promise<void> | undefined;

  return {
    jobs,
    fleet,
    database,
    ...createUserActs(parts, () => void background.sweepBytes()),
    ...createWorkerActs(parts),
    expired: background.expired,
    ended,
    drains: createDrains(database, scheduling.wakeUps),
    waiting: new WaitingRoom(database, policy),
    hubs,
    ...live,
    start() {
      background.start();
      for (const hub of Object.values(live)) hub.start();
    },
    close: () =>
      (closing ??= (async () => {
        for (const hub of [...Object.values(live), hubs]) hub.close();
        await background.close();
      })()),
  };
}

const policy = defaultPolicy;

type Parts = ServiceDependencies & { jobs: JobRepository; changer: JobChanger; wakeUps: WakeUps };

/** What users do to jobs. `onRemoved`: there are bytes to remove. */
function createUserActs(parts: Parts, onRemoved: () => void) {
  const enabledKind = (name: string, viewer: Viewer) =>
    kinds.find((kind) => kind.name === name && isKindEnabled(kind, viewer, parts));
  return {
    kinds,
    isKindEnabled: (kind: Kind, viewer: Viewer | null) => isKindEnabled(kind, viewer, parts),
    submitJob: createSubmitJob({ ...parts, inputs: createJobInputs(parts.files), policy, enabledKind }),
    cancelJob: createCancelJob({ ...parts, graceMs: parts.timing.graceMs }),
    deleteJob: createDeleteJob({ ...parts, onRemoved }),
  };
}

/** What workers say of attempts and of themselves. */
function createWorkerActs(parts: Parts) {
  const { database, changer, logBytes, workerRedis } = parts;
  const stale: StaleWrites = { refused: 0 };
  return {
    stale,
    workers: createWorkerSessions({ ...parts, redis: workerRedis }),
    claimAttempt: createClaimAttempt(parts),
    recordReport: createRecordReport(database, changer, stale, logBytes),
    finishAttempt: createFinishAttempt({ ...parts, stale, policy, logLimit: logBytes }),
  };
}
