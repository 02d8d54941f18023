import { type WorkloadContext, WorkloadStopped } from '../workloads/define.js';

type Given<Params> = Pick<WorkloadContext<Params>, 'params' | 'inputs' | 'outputDir' | 'engine'> &
  Partial<WorkloadContext<Params>>;

/** What a runner would give a workload, with nobody listening but to what is given here. */
export function workloadContext<Params>(given: Given<Params>): WorkloadContext<Params> {
  const { stopRequested = () => false } = given;
  return {
    checkpointDir: given.outputDir,
    resumeFrom: null,
    traceparent: null,
    tier: null,
    stopRequested,
    stopIfAsked() {
      if (stopRequested()) throw new WorkloadStopped();
    },
    yieldNow: () => Promise.resolve(),
    progress: () => undefined,
    metric: () => undefined,
    checkpoint: () => undefined,
    print: () => Promise.resolve(),
    ...given,
  };
}
