import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { FromRunner } from '@gjm/core/wire/ipc.js';
import { RunnerChild } from '@gjm/worker/child/spawn.js';
import { packagesFolder } from '@gjm/worker/packages-folder.js';
import { Slot, type WarmChild } from '@gjm/worker/slot/slot.js';
import { softwarePin } from '@gjm/worker/testing/software-adapters.js';
import type { BareRun } from './bare-run.js';
import { engineWork, type EngineWork } from './engine-work.js';
import { figureOf, type Figure } from './figures.js';

const runnerModule = fileURLToPath(import.meta.resolve('@gjm/worker/child/runner.js'));
/** From the least to the most that is known to be slow on a machine without GPUs. */
const engines = ['native', 'wasm', 'cpu', 'webgpu'] as const;
const slow: readonly string[] = ['cpu', 'webgpu'];
// Their bests are compared: the machine does other things, too.
const pairs = 5;
const readyMs = 60_000;

/**
 * For each engine that works here: what runner and supervisor cost, as the work of each kind in a warm runner over the same work alone in a
 * process; and how long after the death of a runner the next one is ready.
 */
export async function engineFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const engine of engines) {
    const folder = await mkdtemp(join(tmpdir(), 'gjm-bench-engine-'));
    const slot = slotOn(engine, folder);
    try {
      const first = await slot.firstStart;
      if (first.type !== 'ready') continue;
      figures.push(await phaseFigure(engine, slot, await engineWork(folder, slow.includes(engine))));
      figures.push(await readyAgainFigure(engine, slot));
    } finally {
      await slot.close();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

const environmentOf = (engine: string): Record<string, string> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GJM_PACKAGES_DIR: packagesFolder(),
  ...(engine === 'webgpu' ? softwarePin() : {}),
});

function slotOn(engine: string, runFolder: string): Slot {
  const log = pino({ level: 'silent' });
  const device = { uid: 'bench', kind: engine === 'webgpu' ? 'SOFTWARE' : 'CPU', pin: {} };
  const plan = { module: runnerModule, device, engines: engine, env: environmentOf(engine) };
  const makeChild = () =>
    new RunnerChild({ ...plan, instanceId: 'bench', runFolder, readyLimitMs: readyMs, log });
  const slot = new Slot({ uid: device.uid, index: 0, makeChild, log, onChange: () => undefined });
  slot.start();
  return slot;
}

async function phaseFigure(engine: string, slot: Slot, works: EngineWork[]): Promise<Figure> {
  const env = environmentOf(engine);
  const bare = fork(join(import.meta.dirname, 'bare-work.js'), [engine], { env });
  const warm = await acquire(slot);
  const ratios: Record<string, number> = {};
  const seconds: Record<string, number> = {};
  for (const work of works) {
    await runAlone(bare, work);
    await runInRunner(warm.child, work);
    const times: [alone: number, inRunner: number][] = [];
    for (let pair = 0; pair < pairs; pair++)
      times.push([await runAlone(bare, work), await runInRunner(warm.child, work)]);
    const alone = Math.min(...times.map(([ms]) => ms));
    ratios[work.name] = Math.min(...times.map(([, ms]) => ms)) / alone;
    seconds[`${work.name} alone, s`] = alone / 1_000;
  }
  slot.release(warm, null);
  bare.disconnect();
  await once(bare, 'exit');
  const fields = {
    name: `execute phase in a runner / alone, ${engine}: worst kind`,
    unit: '×',
    bar: '≤ 1.05',
  };
  const worst = (most: number): boolean => most <= 1.05;
  return figureOf(fields, Object.values(ratios), 'high', worst, { ...ratios, ...seconds });
}

async function acquire(slot: Slot): Promise<WarmChild> {
  const warm = await slot.acquire(readyMs);
  if (!warm) throw new Error('No runner became ready.');
  return warm;
}

async function runAlone(bare: ChildProcess, work: EngineWork): Promise<number> {
  bare.send(work);
  const [run] = (await once(bare, 'message')) as [BareRun | null];
  if (!run) throw new Error(`${work.name} can not be done alone.`);
  return run.ms;
}

/** ms from the order to the runner's last word. */
async function runInRunner(child: RunnerChild, work: EngineWork): Promise<number> {
  const { kind, tier, params, inputs, outputDir } = work;
  const startedAt = performance.now();
  const last = await new Promise<FromRunner | null>((resolve) => {
    const ends = ['done', 'failed', 'stopped'];
    const message = (said: FromRunner) => ends.includes(said.type) && resolve(said);
    child.attach({ message, output: () => undefined, exit: () => resolve(null) });
    const files = { inputs, outputDir, checkpointDir: join(outputDir, 'checkpoints'), resumeFrom: null };
    const ids = { attemptId: 'bench', jobId: 'bench', traceparent: null };
    child.send({ type: 'start', ...ids, kind, params, tier, ...files });
  });
  if (last?.type !== 'done') throw new Error(`${work.name} in a runner: ${JSON.stringify(last)}`);
  return performance.now() - startedAt;
}

/** SIGKILL to a runner that has worked → the next one has passed its self-test, s. */
async function readyAgainFigure(engine: string, slot: Slot): Promise<Figure> {
  const runs: number[] = [];
  for (let run = 0; run < pairs; run++) {
    const warm = await acquire(slot);
    warm.use.jobs += 1;
    const startedAt = performance.now();
    process.kill(warm.child.pid, 'SIGKILL');
    await warm.child.exited;
    slot.release(warm, 'it ended by itself');
    slot.release(await acquire(slot), null);
    runs.push((performance.now() - startedAt) / 1_000);
  }
  const fields = { name: `runner killed → the next one is ready, ${engine}`, unit: 's', bar: 'none' };
  return figureOf(fields, runs, 'low', null);
}
