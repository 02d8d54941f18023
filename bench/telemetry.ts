import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { GpuWatch } from '@gjm/worker/device/gpu-watch.js';
import { NvidiaSmi } from '@gjm/worker/device/nvidia-smi.js';
import { figureOf, type Figure } from './figures.js';

/** Rounds come faster than in life, so that a short run has many; each costs the same. */
const probeMs = 100;
const defaultProbeMs = 2_000;
const runMs = 5_000;
const gpus = 8;

/** Prints what nvidia-smi would, for eight GPUs whose figures never rest. */
const program = `#!/bin/sh
rows() { n=0; while [ $n -lt ${gpus} ]; do
  echo "GPU-$n, NVIDIA H200, 00000000:0$n:00.0, 143771, $((1000 + round % 30)), $((round % 100)), 40, $((100 + round % 7)), 550.54, 9.0"
  n=$((n + 1)); done; round=$((round + 1)); }
round=0
case "$*" in *query-gpu*) rows;; esac
case "$*" in *loop-ms*) while sleep 0.1; do rows; done;; esac
`;

/** What watching eight GPUs costs the supervisor itself. What the driver's program costs beside it only a machine with GPUs can tell. */
export async function telemetryFigure(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'gjm-bench-smi-'));
  const path = join(folder, 'nvidia-smi');
  await writeFile(path, program);
  await chmod(path, 0o700);
  const watch = new GpuWatch({
    smi: new NvidiaSmi(path, { PATH: '/usr/local/bin:/usr/bin:/bin' }),
    ...{ probeMs, foreignBytes: 2 ** 29, diagnosticEngine: null, onChange: () => undefined },
    owner: { isOurs: () => false, isChild: () => false, readyChildren: () => [] },
    log: pino({ level: 'silent' }),
  });
  await watch.first();
  if (watch.devices.length !== gpus) throw new Error('The stand-in was not understood.');
  watch.start();
  const runs: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const before = process.cpuUsage();
    await delay(runMs);
    const { user, system } = process.cpuUsage(before);
    const msPerRound = (user + system) / 1_000 / (runMs / probeMs);
    runs.push((100 * msPerRound) / defaultProbeMs);
  }
  await watch.close();
  await rm(folder, { recursive: true });
  const fields = { name: "telemetry of 8 GPUs: the supervisor's share", unit: '% core', bar: '≤ 1' };
  return figureOf(fields, runs, 'low', (best) => best <= 1);
}
