import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { createClient, unwrap, type JobEvent, type NodeClient } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import type { Stack } from '@gjm/stack/stack.js';
import { residentMiB } from '../support/resident.js';
import { faultsOfSequence } from '../support/sequence.js';
import { until } from '../support/until.js';
import { logOf, submitDiagnostic, watchToEnd } from '../support/user.js';
import { faultsOfJob, watchJob } from '../support/watched-jobs.js';
import { wideBytes, wideMarker, widePieces } from './wide-line.js';

const lineCount = 200_000;
/** How far resident memory of the server and of the worker's supervisor may grow meanwhile, in MiB. */
const growthMiB = 150;
/** How long the slow reader takes for each message, in ms. */
const slowMs = 40;

interface Growth {
  /** In MiB. */
  atStart: number;
  highest: number;
}
export interface MuchOutput {
  lines: number;
  longestLineBytes: number;
  boundMiB: number;
  server: Growth;
  worker: Growth;
  /** Jobs that ran beside it. */
  others: number;
  faults: string[];
}

/** A reader that is slow on the wire: the server sees its buffer fill, and may close the socket. */
class SlowSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols);
    this.on('error', () => undefined);
    this.on('message', () => {
      if (this.readyState !== WebSocket.OPEN) return;
      this.pause();
      setTimeout(() => this.resume(), slowMs);
    });
  }
}

/**
 * A job of 200,000 lines and one of a single line of 20 MiB with bytes that are no text, each under a fast and a slow reader, while other
 * jobs run: everything arrives, and neither the server nor the worker keeps it in memory. `client` is an ADMIN's.
 */
export async function runMuchOutput(
  stack: Stack,
  client: NodeClient,
  accessToken: string,
): Promise<MuchOutput> {
  const worker = await startWideWorker(stack, client);
  const slow = createClient({ url: stack.url, accessToken, webSocketImpl: SlowSocket });
  const growth = watchMemory({ server: stack.pids()['server'] ?? 0, worker: worker.pid });
  const over = new AbortController();
  try {
    const others = runOthers(client, over.signal);
    const input = { deviceSelector: { worker: 'wide' } };
    const many = await submitDiagnostic(client, { logLines: lineCount }, input);
    const wide = await submitDiagnostic(client, { logBytes: wideMarker.toString('base64') }, input);
    const readers = [client, slow].flatMap((one) => [readMany(one, many), readWide(one, wide)]);
    const faults = (await Promise.all(readers)).flat();
    over.abort();
    const beside = await others;
    const { server, worker: supervisor } = await growth.end();
    const tooLarge = Object.entries({ server, supervisor })
      .filter(([, { atStart, highest }]) => highest - atStart > growthMiB)
      .map(([name, it]) => `the ${name} grew from ${it.atStart} to ${it.highest} MiB`);
    return {
      ...{ lines: lineCount, longestLineBytes: wideBytes, boundMiB: growthMiB, server, worker: supervisor },
      others: beside.count,
      faults: [...faults, ...beside.faults, ...tooLarge],
    };
  } finally {
    over.abort();
    slow.close();
    await worker.stop();
  }
}

async function startWideWorker(stack: Stack, client: NodeClient) {
  const { token } = unwrap(await client.createWorkerToken('wide'));
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./wide-worker.js', import.meta.url)), '--server', stack.url, '--token', token],
    {
      cwd: cloneRoot,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GJM_DATA_DIR: join(stack.dataDir, 'wide'),
        GJM_WORKER_NAME: 'wide',
        GJM_CPU_SLOTS: '2',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await until(
    'the wide worker is online',
    async () => (await client.workers()).some(({ name, online }) => name === 'wide' && online),
    60_000,
  );
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Looks ten times a second until `end`. */
function watchMemory<Name extends string>(pids: Record<Name, number>) {
  const names = Object.keys(pids) as Name[];
  const growth = {} as Record<Name, Growth>;
  const look = async () => {
    for (const name of names) {
      const now = Math.round(await residentMiB(pids[name]));
      growth[name] ??= { atStart: now, highest: now };
      growth[name].highest = Math.max(growth[name].highest, now);
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), 100);
  return {
    async end() {
      clearInterval(timer);
      await look();
      return growth;
    },
  };
}

/** Ordinary jobs one after the other, each watched; at least one. */
async function runOthers(
  client: NodeClient,
  over: AbortSignal,
): Promise<{ count: number; faults: string[] }> {
  const result = { count: 0, faults: [] as string[] };
  do {
    const job = await watchJob(client, { steps: 10, stepMs: 20, logLines: 5, artifactBytes: 1_000 });
    await job.ended;
    result.count++;
    result.faults.push(...faultsOfJob(job));
  } while (!over.aborted);
  return result;
}

async function readMany(client: NodeClient, jobId: string): Promise<string[]> {
  const events = await watchToEnd(client, jobId);
  const lines = logOf(events).trimEnd().split('\n');
  const wrong = lines.findIndex((line, index) => line !== `line ${index + 1}`);
  return [
    ...faultsOfSequence(events),
    ...(lines.length === lineCount ? [] : [`${lines.length} lines arrived, not ${lineCount}`]),
    ...(wrong === -1 ? [] : [`line ${wrong + 1} is ${lines[wrong]}`]),
  ];
}

async function readWide(client: NodeClient, jobId: string): Promise<string[]> {
  const events = await watchToEnd(client, jobId);
  const text = logOf(events).replaceAll('\n', '');
  const odd = [...text.matchAll(/[^x]/gu)].filter(([char]) => char !== '\ufffd').length;
  return [
    ...faultsOfSequence(events),
    ...(text.length === wideBytes ? [] : [`the line has ${text.length} characters, not ${wideBytes}`]),
    ...(odd === 0 ? [] : [`${odd} characters that nobody printed`]),
    ...(await faultsOfRawLog(client, jobId, events)),
  ];
}

/** The raw log keeps every byte, in one line. */
async function faultsOfRawLog(
  client: NodeClient,
  jobId: string,
  events: readonly JobEvent[],
): Promise<string[]> {
  const attempts = (await client.job(jobId))?.attempts ?? [];
  const log = attempts.flatMap(({ artifacts }) => artifacts).find(({ name }) => name === 'stdout.log');
  const artifact = log && (await client.file(log.id));
  if (!artifact) return [`there is no raw log after ${events.length} events`];
  const [expected, found] = [createHash('sha256'), createHash('sha256')];
  for (const piece of widePieces()) expected.update(piece);
  for await (const piece of client.fetchArtifact(artifact)) found.update(piece);
  return expected.digest('hex') === found.digest('hex') ? [] : ['the raw log is not what was printed'];
}
