import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  claimRequestSchema,
  finishRequestSchema,
  heartbeatRequestSchema,
  helloRequestSchema,
  reportRequestSchema,
  workerApiPath,
  type ClaimAnswer,
  type FinishRequest,
  type HeartbeatAnswer,
  type HeartbeatRequest,
  type HelloAnswer,
  type HelloRequest,
  type ReportItem,
} from '@gjm/core/wire/worker-api.js';
import { pause } from '../wait.js';

/**
 * The server's side of the worker API over real HTTP, without a database: it keeps what it is told, answers by the contract, and can be
 * away, lose answers or refuse. For tests only.
 */
export interface WireServer {
  url: string;
  /** Breaks every connection instead of answering. */
  isAway: boolean;
  /** Answers everything with this status, when set. */
  status: number | null;
  /** Connections to fetch inputs of are answered from here, by file id. */
  inputs: Map<string, Buffer>;
  artifacts: { attemptId: string; query: Record<string, string>; bytes: Buffer }[];
  hellos: HelloRequest[];
  beats: HeartbeatRequest[];
  finishes: FinishRequest[];
  /** What the next beats are told. */
  answer: HeartbeatAnswer;
  /** Attempts that a beat which lists them is told to cancel. */
  cancelListed: Set<string>;
  /** Answers to calls of this name come so much later than they are acted on. */
  delayAnswerMs: { name: string; ms: number } | null;
  /** The answer to a hello; without one, hello is not known here. */
  hello: ((request: HelloRequest) => HelloAnswer) | null;
  /** The answer to a first claim, by attempt id; none: refused. */
  claims: Map<string, ClaimAnswer>;
  items(attemptId: string): ReportItem[];
  calls(name: string): number;
  /** The next `count` calls of this name are acted on, but their answers never arrive. */
  loseAnswers(name: string, count: number): void;
  /** The token of this attempt is no longer good. */
  refuse(attemptId: string): void;
  /** Lets waiting workers know that a beat is worth it. */
  poke(): void;
  close(): Promise<void>;
}

type Act = (body: unknown) => unknown;

export async function startWireServer(): Promise<WireServer> {
  const items = new Map<string, ReportItem[]>();
  const keys = new Map<string, string>();
  const refused = new Set<string>();
  const calls = new Map<string, number>();
  const lost = new Map<string, number>();
  let waiting: ServerResponse[] = [];

  const keep = (attemptId: string, more: ReportItem[]): number => {
    const kept = items.get(attemptId) ?? [];
    const last = kept.at(-1)?.number ?? 0;
    kept.push(...more.filter((item) => item.number > last));
    items.set(attemptId, kept);
    return kept.at(-1)?.number ?? 0;
  };

  const acts: Record<string, Act> = {
    hello: (body) => {
      const request = helloRequestSchema.parse(body);
      server.hellos.push(request);
      return server.hello?.(request);
    },
    heartbeat: (body) => {
      const beat = heartbeatRequestSchema.parse(body);
      server.beats.push(beat);
      const listed = beat.attempts
        .map(({ attemptId }) => attemptId)
        .filter((id) => server.cancelListed.has(id));
      return { ...server.answer, cancel: [...server.answer.cancel, ...listed] };
    },
    claim: (body) => {
      const { attemptId, claimKey } = claimRequestSchema.parse(body);
      const claim = server.claims.get(attemptId);
      if (!claim || (keys.get(attemptId) ?? claimKey) !== claimKey)
        return { granted: false, reason: 'not yours' };
      keys.set(attemptId, claimKey);
      return claim;
    },
    report: (body) => {
      const request = reportRequestSchema.parse(body);
      if (refused.has(request.attemptId)) return { accepted: false };
      return { accepted: true, acknowledged: keep(request.attemptId, request.items) };
    },
    finish: (body) => {
      const request = finishRequestSchema.parse(body);
      if (refused.has(request.attemptId)) return { accepted: false };
      keep(request.attemptId, request.items);
      server.finishes.push(request);
      return { accepted: true };
    },
  };

  const serveBytes = (path: string[], url: URL, bytes: Buffer, answer: ServerResponse) => {
    const [, attemptId = '', what, fileId = ''] = path;
    if (what === 'inputs') {
      const input = server.inputs.get(fileId);
      answer.writeHead(input ? 200 : 404).end(input);
      return;
    }
    const query = Object.fromEntries(url.searchParams);
    if (createHash('sha256').update(bytes).digest('hex') !== query['sha256']) return reply(answer, 422, {});
    server.artifacts.push({ attemptId, query, bytes });
    reply(answer, 200, { artifactId: `art_${server.artifacts.length}` });
  };

  const serve = async (request: IncomingMessage, answer: ServerResponse) => {
    const bytes = await readAll(request);
    const url = new URL(request.url ?? '/', 'http://server');
    const path = url.pathname.slice(workerApiPath.length + 1).split('/');
    const name = path[0] ?? '';
    calls.set(name, (calls.get(name) ?? 0) + 1);
    if (server.isAway) return void request.socket.destroy();
    if (server.status !== null) return reply(answer, server.status, { message: 'as told' });
    if (name === 'attempts') return serveBytes(path, url, bytes, answer);
    if (name === 'wait') return void waiting.push(answer);
    const result = acts[name]?.(JSON.parse(bytes.toString()));
    if (server.delayAnswerMs?.name === name) await pause(server.delayAnswerMs.ms);
    if ((lost.get(name) ?? 0) > 0) {
      lost.set(name, (lost.get(name) ?? 0) - 1);
      return void request.socket.destroy();
    }
    reply(answer, result === undefined ? 404 : 200, result ?? {});
  };

  const http = createServer((request, answer) => {
    serve(request, answer).catch((error: unknown) => reply(answer, 400, { message: String(error) }));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const server: WireServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ isAway: false, status: null, hello: null, cancelListed: new Set(), delayAnswerMs: null },
    ...{ inputs: new Map(), claims: new Map(), artifacts: [], hellos: [], beats: [], finishes: [] },
    answer: { cancel: [], lost: [] },
    items: (attemptId) => items.get(attemptId) ?? [],
    calls: (name) => calls.get(name) ?? 0,
    loseAnswers: (name, count) => lost.set(name, count),
    refuse: (attemptId) => refused.add(attemptId),
    poke: () => {
      for (const answer of waiting) reply(answer, 200, {});
      waiting = [];
    },
    close: () =>
      new Promise((done) => {
        http.close(() => done());
        http.closeAllConnections();
      }),
  };
  return server;
}

function reply(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
