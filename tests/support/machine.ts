import { createHash, randomBytes } from 'node:crypto';
import {
  attemptTokenHeader,
  claimAnswerSchema,
  helloAnswerSchema,
  workerApiPath,
  workerApiVersion,
  type DeviceReport,
} from '@gjm/core/wire/worker-api.js';
import { ask } from './api.js';

const hex = () => randomBytes(32).toString('hex');

const cpu: DeviceReport = {
  uid: 'cpu',
  name: 'CPU',
  kind: 'CPU',
  engines: ['wasm', 'cpu'],
  slots: 8,
  memoryBytes: 2 ** 34,
  memoryFreeBytes: 2 ** 34,
  health: 'OK',
  healthReason: null,
  labels: {},
  runs: null,
  engineAudit: [],
  telemetry: null,
};

/** An attempt that a machine has claimed, and the token that proves it. */
export interface Claimed {
  attemptId: string;
  token: string;
}

/** A machine that speaks the worker API by hand and computes nothing: a test says what it claims, sends and finishes. It beats only when told to. */
export class Machine {
  private constructor(
    private readonly url: string,
    private readonly token: string,
    readonly name: string,
    readonly id: string,
    private readonly bootId: string,
  ) {}

  /** Joins with one device, a CPU unless `devices` say otherwise; `adminToken` makes its worker token. */
  static async join(url: string, adminToken: string, ...devices: Partial<DeviceReport>[]): Promise<Machine> {
    const { token = '' } = await ask<{ token: string }>(
      url,
      'mutation { createWorkerToken(input: { name: "by hand" }) { __typename ... on CreateWorkerTokenSuccess { token } } }',
      { token: adminToken },
    );
    const name = `by-hand-${hex().slice(0, 12)}`;
    const bootId = hex();
    const hello = {
      ...{ apiVersion: workerApiVersion, instanceId: hex(), bootId, name, version: '0' },
      ...{ devices: (devices.length > 0 ? devices : [{}]).map((device) => ({ ...cpu, ...device })) },
      engineAudit: [],
    };
    const { workerId } = helloAnswerSchema.parse(JSON.parse((await send(url, token, '/hello', hello)).text));
    return new Machine(url, token, name, workerId, bootId);
  }

  /**
   * Beats once: how its devices are now, by their uids, which of the attempts that it claimed live here, and which ones wait for a runner.
   */
  beat(devices: Partial<DeviceReport>[], claimed: Claimed[] = [], waiting: string[] = []) {
    const attempts = claimed.map(({ attemptId, token }) => ({
      attemptId,
      tokenHash: createHash('sha256').update(token).digest('hex'),
    }));
    return this.#post('/heartbeat', {
      ...{ bootId: this.bootId, attempts, waiting, probes: [], draining: false },
      devices: devices.map((device) => ({ ...cpu, ...device })),
    });
  }

  /** Claims an attempt that was placed here; throws when it is refused. */
  async claim(attemptId: string): Promise<Claimed & { devices: string[] }> {
    const token = hex();
    const { text } = await this.#post('/claim', { attemptId, claimKey: token });
    const answer = claimAnswerSchema.parse(JSON.parse(text));
    if (!answer.granted) throw new Error(text);
    return { attemptId, token, devices: answer.devices };
  }

  /** Sends a file of an attempt. */
  async put({ attemptId, token }: Claimed, role: string, name: string, bytes: Buffer) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const query = new URLSearchParams({
      role,
      name,
      mediaType: 'image/png',
      sha256,
      bytes: `${bytes.length}`,
    });
    const response = await fetch(
      `${this.url}${workerApiPath}/attempts/${attemptId}/artifacts?${query.toString()}`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${this.token}`, [attemptTokenHeader]: token },
        body: new Uint8Array(bytes),
      },
    );
    const text = await response.text();
    const { artifactId = '' } = JSON.parse(text) as { artifactId?: string };
    return { status: response.status, text, artifactId };
  }

  /** Says how an attempt ended, its device clean; `more` are further fields of the request. */
  finish({ attemptId, token }: Claimed, outcome: string, artifacts: string[] = [], more: object = {}) {
    return this.#post('/finish', {
      ...{ attemptId, token, items: [], outcome, engine: 'wasm', failure: null, reason: null },
      ...{ artifacts, deviceClean: true, ...more },
    });
  }

  #post = (path: string, body: object) => send(this.url, this.token, path, { workerId: this.id, ...body });
}

async function send(url: string, token: string, path: string, body: object) {
  const response = await fetch(`${url}${workerApiPath}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}
