import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type NodeClient } from '@gjm/client/node.js';
import {
  claimAnswerSchema,
  helloAnswerSchema,
  workerApiPath,
  workerApiVersion,
  type ReportItem,
} from '@gjm/core/wire/worker-api.js';

/** A worker that computes nothing and reports what it is told, at the pace it is told: for measuring what the server makes of it. */
export interface ScriptedWorker {
  /** Waits until the job is placed here, claims it, then reports one metric every `everyMs`, `count` times, and finishes it. */
  runMetrics(jobId: string, count: number, everyMs: number): Promise<void>;
}

const hex = () => randomBytes(32).toString('hex');

/** Joins as the only worker of a stack without one; `url` is the server's. */
export async function joinScriptedWorker(url: string, admin: NodeClient): Promise<ScriptedWorker> {
  const { token } = unwrap(await admin.createWorkerToken('bench'));
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${workerApiPath}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const bootId = hex();
  const hello = await post('/hello', {
    apiVersion: workerApiVersion,
    instanceId: hex(),
    bootId,
    name: 'scripted',
    version: '0',
    devices: [device],
    engineAudit: [],
  });
  const { workerId, heartbeatMs } = helloAnswerSchema.parse(hello);
  return {
    async runMetrics(jobId, count, everyMs) {
      const attemptId = await placedAttempt(admin, jobId);
      const key = hex();
      const claim = claimAnswerSchema.parse(await post('/claim', { workerId, attemptId, claimKey: key }));
      if (!claim.granted) throw new Error(claim.reason);
      const attempts = [{ attemptId, tokenHash: createHash('sha256').update(key).digest('hex') }];
      const beat = () =>
        post('/heartbeat', { workerId, bootId, attempts, devices: [], probes: [], draining: false });
      const beats = setInterval(() => void beat(), heartbeatMs);
      const own = { workerId, attemptId, token: key };
      const startedAt = performance.now();
      for (let number = 1; number <= count; number++) {
        await post('/report', { ...own, items: [metric(number)] });
        await delay(Math.max(0, startedAt + number * everyMs - performance.now()));
      }
      clearInterval(beats);
      const end = {
        items: [],
        outcome: 'SUCCEEDED',
        engine: 'wasm',
        failure: null,
        reason: null,
        artifacts: [],
      };
      await post('/finish', { ...own, ...end, deviceClean: true });
    },
  };
}

const device = {
  uid: 'scripted',
  name: 'scripted',
  kind: 'CPU',
  engines: ['wasm'],
  slots: 1,
  memoryBytes: null,
  memoryFreeBytes: null,
  health: 'OK',
  healthReason: null,
  labels: {},
};

const metric = (number: number): ReportItem => ({
  type: 'metric',
  number,
  name: 'value',
  step: number,
  value: number,
  special: null,
});

async function placedAttempt(client: NodeClient, jobId: string): Promise<string> {
  for (let tries = 0; tries < 500; tries++) {
    const attempt = (await client.job(jobId))?.attempts[0];
    if (attempt) return attempt.id;
    await delay(10);
  }
  throw new Error('The job was not placed within 5 s.');
}
