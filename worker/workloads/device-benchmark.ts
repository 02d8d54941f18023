import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deviceBenchmark } from '@gjm/core/workload/device-benchmark.js';
import { type Measured, measure, movement, multiplication, type Task } from './benchmark/measure.js';
import { defineWorkload, type WorkloadContext } from './define.js';

const mebibyte = 1024 * 1024;

/** No tensor is larger than 64 MiB: what every engine takes in one piece. */
const matrixSizes = [256, 512, 1_024, 2_048, 4_096];
const memoryMebibytes = [1, 4, 16, 64];

/** Each of both series takes about so long at most: a size is left out when the one before says that it would take longer than what is left. */
const seriesMs = 1_800;

/** Measures the device this runs on. */
export const deviceBenchmarkWorkload = defineWorkload(deviceBenchmark, async (context) => {
  const { engine } = context;
  const matmul = (await measureSeries(context, matrixSizes, multiplication, 8)).map(([size, measured]) => {
    const gflops = (2 * size ** 3) / measured.medianMs / 1e6;
    context.metric(`matmul_gflops_${size}`, gflops);
    return { size, gflops, ...measured };
  });
  const move = (mebibytes: number): Task => movement(mebibytes * mebibyte);
  const memory = (await measureSeries(context, memoryMebibytes, move, 4)).map(([mebibytes, measured]) => {
    const bytes = mebibytes * mebibyte;
    const gigabytesPerSecond = (2 * bytes) / measured.medianMs / 1e6;
    context.metric(`memory_gb_per_s_${mebibytes}mib`, gigabytesPerSecond);
    return { bytes, gigabytesPerSecond, ...measured };
  });
  const figures = { engine: engine.name, version: engine.version, matmul, memory };
  const path = 'benchmark.json';
  await writeFile(join(context.outputDir, path), `${JSON.stringify(figures, null, 2)}\n`);
  const [largest, widest] = [matmul.at(-1)!, memory.at(-1)!];
  const speed = `${largest.gflops.toFixed(1)} GFLOP/s at ${largest.size}×${largest.size}`;
  const width = `${widest.gigabytesPerSecond.toFixed(1)} GB/s at ${widest.bytes / mebibyte} MiB`;
  await context.print(`${engine.name} ${engine.version}: ${speed}, ${width}`);
  return [{ name: path, path, mediaType: 'application/json' }];
});

/** Measures size after size, each `growth` times the work of the one before, as long as there is time for another. */
async function measureSeries(
  context: WorkloadContext<unknown>,
  sizes: readonly number[],
  taskOf: (size: number) => Task,
  growth: number,
): Promise<[size: number, measured: Measured][]> {
  const series: [number, Measured][] = [];
  const startMs = performance.now();
  for (const [index, size] of sizes.entries()) {
    const last = series.at(-1)?.[1];
    const expectedMs = last ? last.medianMs * growth * (last.repeats + 2) : 0;
    if (performance.now() - startMs + expectedMs > seriesMs) break;
    context.progress({ step: index + 1, total: sizes.length, message: `size ${size}` });
    const between = async (): Promise<void> => {
      await context.yieldNow();
      context.stopIfAsked();
    };
    series.push([size, await measure(taskOf(size), between)]);
  }
  return series;
}
