import { createHash } from 'node:crypto';
import { mkdir, open, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToRunner } from '@gjm/core/wire/ipc.js';
import {
  usageSchema,
  type ClaimAnswer,
  type FinishRequest,
  type ReportItem,
  type Usage,
} from '@gjm/core/wire/worker-api.js';
import { kindByName } from '@gjm/core/workload/kinds.js';
import type { GpuUse } from '../device/gpu-use.js';
import type { Logger } from '../logger.js';
import { isFault, LinkError } from '../link/link-error.js';
import { untilAnswered } from '../link/retry.js';
import { ReportSender } from '../report/report-sender.js';
import type { NewReportItem } from '../report/report-item.js';
import { Reporter } from '../report/reporter.js';
import type { RunningClock } from '../running-clock.js';
import type { AttemptKey, ServerLink } from '../server-link.js';
import { AttemptFailure, diskFailure } from './attempt-failure.js';
import { ChildWork, type StopReason, type Verdict, type WorkEnd } from './child-work.js';
import { checkDevices } from './device-check.js';
import { endedByLoss, endingOf, failedBy, released, stopped, type Ending } from './ending.js';
import { fetchCheckpoint, fetchInputs } from './inputs.js';
import { CheckpointUploads } from './checkpoint-uploads.js';
import { uploadFile, uploadOutputs } from './outputs.js';
import type { WarmChild } from './slot.js';
import { pause, within } from '../wait.js';

/** Raw logs of an attempt that was stopped may take this long, in ms: the server settles it by itself soon after its grace. */
const stoppedLogsMs = 5_000;
/** The end of an attempt waits so long, in ms, for a checkpoint that is still on its way. */
const checkpointMs = 60_000;

/** The hello that tells of a device's other engine is on its way for so long, in ms: an attempt given back before it would come straight back. */
const newsMs = 1_000;

/** Nobody's fault: the device has another engine than when the attempt was placed. */
class OtherEngine extends Error {}

export type Granted = Extract<ClaimAnswer, { granted: true }>;

type AttemptFiles = Pick<
  Extract<ToRunner, { type: 'start' }>,
  'inputs' | 'outputDir' | 'checkpointDir' | 'resumeFrom'
>;

export interface AttemptOptions {
  key: AttemptKey;
  workerId: string;
  claim: Granted;
  traceparent: string | null;
  warm: WarmChild;
  /** Its GPUs as they are watched for it; null where none are. Ended here. */
  use: GpuUse | null;
  /** A folder for this attempt alone; made here, removed here. */
  folder: string;
  link: ServerLink;
  clock: RunningClock;
  /** Beats and waits for the server's answer. */
  hear: () => Promise<void>;
  /** The server refused this worker altogether. */
  onForbidden: (error: LinkError) => void;
  log: Logger;
}

/** What the slot must know afterwards. */
export interface AttemptEnd {
  /** Why the child must not be used again, or null. */
  fault: string | null;
  isGroupGone: boolean;
}

/** One claimed attempt from its inputs to the server's word that its end is recorded. */
export class AttemptRun {
  readonly attemptId: string;
  /** SHA-256 of the token's hex text, as beats name it. */
  readonly tokenHash: string;
  readonly #options: AttemptOptions;
  readonly #reporter: Reporter;
  readonly #sender: ReportSender;
  readonly #work: ChildWork;
  readonly #checkpoints: CheckpointUploads;
  /** Aborted by any stop: ends the fetching of inputs. */
  readonly #stopping = new AbortController();
  /** Aborted when the server does not want this attempt any more, or the process can not wait: ends every call for it. */
  readonly #forgotten = new AbortController();
  #stop: StopReason | null = null;
  /** Why its device is lost. */
  #loss: string | null = null;
  #lastItems: NewReportItem[] = [];

  constructor(options: AttemptOptions) {
    const { key, claim, warm, clock, hear, folder } = options;
    this.#options = options;
    this.attemptId = key.attemptId;
    this.tokenHash = createHash('sha256').update(key.token).digest('hex');
    this.#sender = new ReportSender({
      send: (items) => this.#report(items),
      spillPath: join(folder, 'unsent-reports'),
      onStale: () => this.stop('lost'),
      onPressure: (isFull) => warm.child.setPaused(isFull),
    });
    this.#reporter = new Reporter(folder, (items) => this.#sender.add(items));
    const { runMs, graceMs } = claim;
    const onTimeout = () => this.stop('timeout');
    this.#checkpoints = this.#openCheckpoints();
    this.#work = new ChildWork({
      ...{ child: warm.child, reporter: this.#reporter, clock, runMs, graceMs, hear, onTimeout },
      onCheckpoint: (checkpoint) => this.#checkpoints.add(checkpoint),
    });
    options.use?.onLoss((reason) => this.#loseDevice(reason));
  }

  /** Asks for the end; what it was asked for first decides what is reported. `lost`: at once, and nothing is reported. */
  stop(reason: StopReason): void {
    if (this.#stop === null || reason === 'lost') this.#stop = reason;
    this.#stopping.abort();
    if (reason === 'lost') this.#forgotten.abort();
    this.#work.stop(reason);
  }

  /** No more waiting for the server: a finish that is still unanswered is given up. */
  abandon(): void {
    this.#forgotten.abort();
  }

  /** Resolves when the server knows the end, or does not want to. Never rejects. True: delivered. */
  async run(): Promise<AttemptEnd & { isDelivered: boolean }> {
    const { folder, log } = this.#options;
    let end: AttemptEnd = { fault: null, isGroupGone: true };
    let isDelivered = false;
    let isClean: Promise<boolean> | null = null;
    try {
      const { ending, work } = await this.#toTheEnd();
      const { warm, use } = this.#options;
      if (work) end = { fault: this.#faultOf(work), isGroupGone: work.isGroupGone };
      else if (warm.fresh) end.fault = 'it was made for this attempt, which has not begun';
      // A child that must go is gone before its device is called clean.
      if (end.fault !== null) end.isGroupGone = await warm.child.end(0);
      // Beside the transfer of what it made, which may take longer.
      if (work || warm.fresh) isClean = checkDevices(use, warm.child, end, log);
      if (ending) isDelivered = await this.#deliver(ending, work?.verdict ?? null, isClean);
    } catch (error) {
      if (!this.#forgotten.signal.aborted)
        log.error({ attemptId: this.attemptId, err: error }, 'attempt not finished');
      if (error instanceof LinkError && (error.status === 401 || error.status === 403))
        this.#options.onForbidden(error);
    }
    this.#options.use?.end((await isClean) ?? this.#loss === null);
    this.#work.close();
    this.#reporter.close();
    this.#sender.close();
    void removeScratch(folder).catch((error: unknown) =>
      log.warn({ err: error }, 'scratch folder not removed'),
    );
    return { ...end, isDelivered };
  }

  async #toTheEnd(): Promise<{ ending: Ending | null; work: WorkEnd | null }> {
    const { claim } = this.#options;
    let files: AttemptFiles;
    try {
      files = await this.#prepare();
    } catch (raw) {
      const error = diskFailure(raw);
      if (this.#stop === 'lost') return { ending: null, work: null };
      if (this.#loss !== null && this.#stop === null)
        return { ending: failedBy(new AttemptFailure('DEVICE_LOST', this.#loss)), work: null };
      if (this.#stop !== null)
        return { ending: stopped(this.#stop, 'had not begun', claim.runMs), work: null };
      if (error instanceof AttemptFailure) return { ending: failedBy(error), work: null };
      if (error instanceof OtherEngine) return { ending: released(error.message), work: null };
      throw error;
    }
    const { jobId, kind, params, tier, runMs } = claim;
    const work = await this.#work.run({
      type: 'start',
      attemptId: this.attemptId,
      ...{ jobId, kind, params, tier, traceparent: this.#options.traceparent, ...files },
    });
    this.#lastItems = this.#reporter.end();
    this.#note(work.verdict);
    return { ending: endingOf(work, runMs, this.#reporter.lastLine), work };
  }

  /** No word is waited for: a child that computes on a lost device may never give one. */
  #loseDevice(reason: string): void {
    this.#loss = reason;
    this.#stopping.abort();
    void this.#options.warm.child.end(0);
    this.#work.stop('release');
  }

  /** Makes the attempt's folders and fetches what it begins with. */
  async #prepare(): Promise<AttemptFiles> {
    const { claim, warm, key, link, folder } = this.#options;
    const [outputDir, checkpointDir] = [join(folder, 'out'), join(folder, 'checkpoints')];
    await mkdir(outputDir, { recursive: true, mode: 0o700 });
    if (claim.engine !== warm.engine) {
      await pause(newsMs, this.#stopping.signal);
      throw new OtherEngine(`This slot computes with ${warm.engine} by now, not with ${claim.engine}.`);
    }
    const trouble = await warm.fresh?.ready;
    if (trouble) throw new AttemptFailure('RUNNER_CRASHED', trouble);
    const { signal } = this.#stopping;
    const inputs = await fetchInputs(link, key, claim.inputs, join(folder, 'in'), signal);
    if (!kindByName(claim.kind)?.keepsCheckpoints)
      return { inputs, outputDir, checkpointDir, resumeFrom: null };
    await mkdir(checkpointDir, { mode: 0o700 });
    const path = join(folder, 'resume-from');
    const resumed = await fetchCheckpoint(link, key, claim.checkpoints, path, signal);
    if (!resumed && claim.checkpoints.length > 0)
      this.#reporter.system('No checkpoint of an earlier attempt could be fetched; the job starts anew.');
    return { inputs, outputDir, checkpointDir, resumeFrom: resumed && path };
  }

  #openCheckpoints(): CheckpointUploads {
    const { key, link, folder, log } = this.#options;
    return new CheckpointUploads({
      ...{ link, key, folder: join(folder, 'checkpoints'), signal: this.#forgotten.signal },
      onStored: (artifactId) => {
        const item = { type: 'checkpoint' as const, artifactId };
        if (!this.#reporter.checkpoint(artifactId)) this.#sender.add([item]);
      },
      onFailed: (name, error) => {
        log.warn({ attemptId: this.attemptId, name, err: error }, 'a checkpoint was not stored');
        this.#reporter.system(`The checkpoint ${name} could not be stored; the job goes on without it.`);
      },
    });
  }

  /** What the runner says of itself decides whether it is used again. */
  #note(verdict: Verdict): void {
    const { use } = this.#options.warm;
    use.jobs += 1;
    if (verdict.type === 'exited') return;
    use.tensors = verdict.leftovers.tensors;
    use.rssBytes = verdict.leftovers.rssBytes;
  }

  #faultOf({ verdict, isForced }: WorkEnd): string | null {
    if (isForced) return 'it was ended by force';
    if (verdict.type === 'exited') return 'it ended by itself';
    if (verdict.type === 'failed' && verdict.broken) return 'its engine is broken';
    // What a stranger's model did in there must not reach the next owner, so nobody comes next.
    const kind = kindByName(this.#options.claim.kind);
    if (kind?.runsPrograms) return 'it was made for one program';
    return kind?.loadsUserModels ? 'it has loaded a model that a user made' : null;
  }

  async #deliver(
    ending: Ending,
    verdict: Verdict | null,
    isClean: Promise<boolean> | null,
  ): Promise<boolean> {
    let final = ending;
    let artifacts: string[] = [];
    const { key, link, folder } = this.#options;
    await this.#settleCheckpoints(ending);
    if (ending.outcome === 'SUCCEEDED' && verdict?.type === 'done' && verdict.outputs.length > 0) {
      this.#showLastItems();
      try {
        artifacts = await uploadOutputs(
          link,
          key,
          verdict.outputs,
          join(folder, 'out'),
          this.#forgotten.signal,
        );
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        final = failedBy(error);
      }
    }
    const deviceClean = (await isClean) ?? this.#loss === null;
    const { use } = this.#options;
    // A fault of the runner may have been the first sign of it.
    final = endedByLoss(final, this.#loss ?? use?.loss ?? null, this.#stop);
    await this.#uploadLogs(final);
    if (this.#sender.dropped > 0)
      this.#options.log.warn({ dropped: this.#sender.dropped }, 'report items dropped');
    const items = await this.#sender.rest(this.#lastItems);
    return this.#finish({ ...final, artifacts, items, deviceClean, usage: this.#usage() });
  }

  /** Figures are an extra: whatever a driver said, they never keep the end of an attempt from the server, which would refuse it whole. */
  #usage(): Usage | null {
    const { use, log } = this.#options;
    try {
      return usageSchema.nullable().parse(use?.usage() ?? null);
    } catch (error) {
      log.warn({ attemptId: this.attemptId, err: error }, 'what an attempt took can not be told');
      return null;
    }
  }

  /** The next attempt goes on from the last one, so its bytes come first; nobody goes on from a cancelled one. */
  async #settleCheckpoints({ outcome }: Ending): Promise<void> {
    if (outcome === 'CANCELLED') return;
    await within(this.#checkpoints.settled(), outcome === 'SUCCEEDED' ? checkpointMs : stoppedLogsMs, null);
  }

  /** Bytes take a while: watchers see the last lines before them, not with the finish. */
  #showLastItems(): void {
    this.#sender.add(this.#lastItems.splice(0));
  }

  /** Logs are an extra: that they could not be stored never changes the job's result. */
  async #uploadLogs({ outcome }: Ending): Promise<void> {
    const logs = this.#reporter.rawLogs(
      outcome === 'FAILED' || kindByName(this.#options.claim.kind)?.runsPrograms === true,
    );
    if (logs.length === 0) return;
    this.#showLastItems();
    const { key, link, log } = this.#options;
    const limit =
      outcome === 'CANCELLED' || outcome === 'RELEASED' ? [AbortSignal.timeout(stoppedLogsMs)] : [];
    const signal = AbortSignal.any([this.#forgotten.signal, ...limit]);
    for (const { name, path } of logs) {
      try {
        const file = await open(path, 'r');
        try {
          await uploadFile(link, key, { role: 'LOG', name, mediaType: 'text/plain' }, file, signal);
        } finally {
          await file.close();
        }
      } catch (error) {
        log.warn({ attemptId: this.attemptId, name, err: error }, 'a raw log was not stored');
      }
    }
  }

  async #finish(
    last: Ending & Pick<FinishRequest, 'artifacts' | 'items' | 'deviceClean' | 'usage'>,
  ): Promise<boolean> {
    const { key, workerId, link, log, warm } = this.#options;
    const body = { workerId, ...key, ...last, containment: warm.fresh?.containment ?? null };
    const answer = await this.#answered((signal) => link.finish(body, signal));
    const about = { attemptId: this.attemptId, outcome: last.outcome, failure: last.failure?.code };
    if (answer.accepted) log.debug(about, 'attempt finished');
    else log.warn(about, 'the server no longer wanted the result of this attempt');
    return true;
  }

  async #report(items: ReportItem[]) {
    const { key, workerId, link, log } = this.#options;
    try {
      return await this.#answered((signal) => link.report({ workerId, ...key, items }, signal));
    } catch (error) {
      if (isFault(error, 'unreachable')) throw error;
      // The server will not take these items, ever: going on would lose them silently.
      log.error({ attemptId: this.attemptId, err: error }, 'the server refused a report');
      return { accepted: false as const };
    }
  }

  /** Repeats until answered or until the attempt is forgotten, which also ends a call in flight. */
  #answered<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#forgotten;
    return untilAnswered(() => call(signal), { signal });
  }
}

/** Most attempts leave nothing but the empty folders: two calls then, where a recursive removal needs eight. */
async function removeScratch(folder: string): Promise<void> {
  try {
    await rmdir(join(folder, 'out'));
    await rmdir(folder);
  } catch {
    await rm(folder, { recursive: true, force: true });
  }
}
