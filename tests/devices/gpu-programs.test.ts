import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unwrap, type JobEvent } from '@gjm/client/node.js';
import { livingProcesses } from '@gjm/worker/containment/living-processes.js';
import { isSuperuser, removeUsers, runAs, skipReason } from '../process-run/program-worker.js';
import { fastTiming } from '../support/timing.js';
import { until } from '../support/until.js';
import { logOf, statusesOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { GpuBench } from './gpu-bench.js';
import { nameOf, StandInSmi } from './stand-in.js';

const user = runAs('gpu-programs');
const uuid = 'GPU-77777777-cdcd';
const onGpu = { deviceSelector: { kind: 'gpu' } };
/** How long after the grace a cancelled program may be there, in ms. */
const goneMs = 5_000;

/**
 * Ignores SIGTERM, and leaves its session with grandchildren, one that holds nothing and two that hold the GPU: the stand-in lists what bears
 * this variable.
 */
const stubborn = `
  trap "" TERM
  (setsid sleep 300 &)
  (GJM_RUNNER_DEVICE_UID=$CUDA_VISIBLE_DEVICES setsid sh -c 'sleep 300 & sleep 300' &)
  echo up
  while :; do sleep 1; done`;

(isSuperuser ? describe : describe.skip)(`a program on a GPU${skipReason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gjm-gpu-programs-'));
  let bench: GpuBench;
  let smi: StandInSmi;

  beforeAll(async () => {
    bench = await GpuBench.open({ GJM_PROCESS_RUN: 'all' });
    smi = new StandInSmi({ gpus: [{ uuid, childMb: 400 }] });
    const programs = { GJM_ALLOW_PROCESS_RUN: '1', GJM_RUN_AS: user };
    // Its folder must not be one that another user can not pass through.
    bench.startWorker('programs', smi.path, { ...programs, GJM_DATA_DIR: folder });
    await bench.healthy(uuid);
  }, 60_000);
  afterAll(async () => {
    await bench.close();
    smi.close();
    rmSync(folder, { recursive: true, force: true });
    removeUsers(user);
  });

  async function submit(script: string): Promise<string> {
    const params = { command: ['sh', '-c', script] };
    return unwrap(await bench.client.submit({ kind: 'process.run', params, ...onGpu })).job.id;
  }

  /** Of whatever runs as the user that programs have here. */
  const programs = (): number[] => {
    const uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
    return livingProcesses({ user: { name: user, uid, gid: uid }, keeping: 'user', mark: '' });
  };

  test('that ignores a cancel and leaves its session is gone soon after the grace, and the GPU takes the next job', async () => {
    const id = await submit(stubborn);
    const events: JobEvent[] = [];
    let holders: number[] = [];
    for await (const event of bench.client.watch(id)) {
      events.push(event);
      if (!logOf([event]).includes('up')) continue;
      holders = await until('its grandchildren hold the GPU', () => {
        const listed = smi.listed(uuid).filter((pid) => programs().includes(pid));
        return listed.length >= 2 ? listed : null;
      });
      unwrap(await bench.client.cancel(id));
    }
    expect(programs()).toEqual([]);
    expect(smi.listed(uuid).filter((pid) => holders.includes(pid))).toEqual([]);
    expect(holders.filter(isThere)).toEqual([]);

    expect(statusesOf(events)).toEqual(['QUEUED', 'RUNNING', 'CANCELLED']);
    const asked = events.find((event) => event.__typename === 'JobCancelRequestedEvent');
    const ended = events.at(-1);
    const tookMs = Date.parse(String(ended?.at)) - Date.parse(String(asked?.at));
    // It was given its grace, and no more than what is promised.
    expect(tookMs).toBeGreaterThanOrEqual(Number(fastTiming.GJM_GRACE_MS));
    expect(tookMs).toBeLessThan(Number(fastTiming.GJM_GRACE_MS) + goneMs);
    expect(await bench.attemptsOf(id)).toMatchObject([
      { number: 1, outcome: 'CANCELLED', devices: [{ name: nameOf(uuid) }] },
    ]);

    expect((await bench.becomes(uuid, 'OK')).healthReason).toBeNull();
    const program = await submit('echo $CUDA_VISIBLE_DEVICES');
    const log = logOf(await watchToEnd(bench.client, program));
    expect(log.trim()).toBe(uuid);
    const next = await submitDiagnostic(bench.client, {}, onGpu);
    expect(statusesOf(await watchToEnd(bench.client, next)).at(-1)).toBe('SUCCEEDED');
    for (const job of [program, next])
      expect(await bench.attemptsOf(job)).toMatchObject([
        { outcome: 'SUCCEEDED', devices: [{ name: nameOf(uuid) }] },
      ]);
    expect((await bench.device(uuid))?.health).toBe('OK');
  });
});

function isThere(pid: number): boolean {
  try {
    // A zombie holds nothing.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
