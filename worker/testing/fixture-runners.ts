import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { RunnerChild, type RunnerPlan } from '../child/spawn.js';

/** Starts fixture runners and ends all of them in `close`. For tests only. */
export class FixtureRunners {
  readonly folder = mkdtempSync(join(tmpdir(), 'gjm-runners-'));
  readonly #children: RunnerChild[] = [];

  start(fixture: string, plan: Partial<RunnerPlan> = {}): RunnerChild {
    const child = new RunnerChild({
      module: fileURLToPath(new URL(`../child/fixtures/${fixture}.mjs`, import.meta.url)),
      device: { uid: 'cpu-test', kind: 'CPU', pin: {} },
      engines: 'wasm,cpu',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      instanceId: 'me',
      runFolder: this.folder,
      readyLimitMs: 10_000,
      log: pino({ level: 'silent' }),
      ...plan,
    });
    this.#children.push(child);
    return child;
  }

  async close(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.end(0)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A start message for a fixture. */
export const startMessage = (params: Record<string, unknown> = {}) =>
  ({
    type: 'start',
    attemptId: 'att',
    jobId: 'job',
    kind: 'diagnostic',
    params,
    tier: null,
    inputs: {},
    outputDir: '/nowhere',
    checkpointDir: '/nowhere',
    resumeFrom: null,
    traceparent: null,
  }) as const;
