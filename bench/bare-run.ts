/** What one run of a bare script took, in ms: by the clock, and of processor time in all its threads. */
export interface BareRun {
  ms: number;
  processorMs: number;
}

/** Does `work` once. */
export async function timeOf(work: () => Promise<void>): Promise<BareRun> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { ms, processorMs: (user + system) / 1_000 };
}

/** Does `work` so many times and tells the bench that forked this script what each time took. */
export async function tellRuns(count: number, work: () => Promise<void>): Promise<void> {
  const runs: BareRun[] = [];
  for (let run = 0; run < count; run++) runs.push(await timeOf(work));
  process.send?.(runs);
}
