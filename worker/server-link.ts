import type { Readable } from 'node:stream';
import type { z } from 'zod';
import {
  artifactAnswerSchema,
  attemptTokenHeader,
  claimAnswerSchema,
  finishAnswerSchema,
  heartbeatAnswerSchema,
  helloAnswerSchema,
  reportAnswerSchema,
  workerApiPath,
  type ArtifactQuery,
  type ClaimAnswer,
  type FinishRequest,
  type HeartbeatAnswer,
  type HeartbeatRequest,
  type HelloAnswer,
  type HelloRequest,
  type ReportAnswer,
  type ReportRequest,
} from '@gjm/core/wire/worker-api.js';
import { HttpClient } from './link/http-client.js';
import { LinkError } from './link/link-error.js';

/** Limit of one short call, in ms; what waits longer is tried again. */
const callMs = 10_000;
/** The server holds a wait for about 25 s. */
const waitMs = 40_000;
/** Artifact and input bytes: a limit on silence, not on the whole. */
const bytesMs = 60_000;

/** An attempt and the token that every write for it carries. */
export interface AttemptKey {
  attemptId: string;
  token: string;
}

/**
 * The worker API as functions: one call each, no retries, every failure a LinkError. Beats and waits have connections of their own, so that
 * no upload can hold them up.
 */
export class ServerLink {
  readonly #calls: HttpClient;
  readonly #beats: HttpClient;

  constructor(server: string, token: string) {
    this.#calls = new HttpClient(server, token);
    this.#beats = new HttpClient(server, token);
  }

  hello(body: HelloRequest): Promise<HelloAnswer> {
    return this.#post(this.#beats, 'hello', body, helloAnswerSchema);
  }

  heartbeat(body: HeartbeatRequest, timeoutMs: number): Promise<HeartbeatAnswer> {
    return this.#post(this.#beats, 'heartbeat', body, heartbeatAnswerSchema, { timeoutMs });
  }

  /** Resolves when the server has something for this worker, or after about 25 s. What it is, the next beat tells. */
  async wait(body: { workerId: string; bootId: string }, signal: AbortSignal): Promise<void> {
    const text = JSON.stringify(body);
    const path = `${workerApiPath}/wait`;
    await this.#beats.json({ method: 'POST', path, body: { text }, timeoutMs: waitMs, signal });
  }

  claim(
    body: { workerId: string; attemptId: string; claimKey: string },
    signal?: AbortSignal,
  ): Promise<ClaimAnswer> {
    return this.#post(this.#calls, 'claim', body, claimAnswerSchema, { signal });
  }

  report(body: ReportRequest, signal?: AbortSignal): Promise<ReportAnswer> {
    return this.#post(this.#calls, 'report', body, reportAnswerSchema, { signal });
  }

  finish(body: FinishRequest, signal?: AbortSignal): Promise<{ accepted: boolean }> {
    return this.#post(this.#calls, 'finish', body, finishAnswerSchema, { signal });
  }

  /** The bytes of an input file; the caller checks size and digest. */
  input(key: AttemptKey, fileId: string, signal?: AbortSignal): Promise<Readable> {
    const path = `${attemptPath(key)}/inputs/${encodeURIComponent(fileId)}`;
    return this.#calls.open({ method: 'GET', path, headers: tokenHeader(key), timeoutMs: bytesMs, signal });
  }

  /** Stores an artifact; resolves to its id once the bytes are on disk and the row is committed. */
  async artifact(
    key: AttemptKey,
    query: ArtifactQuery,
    stream: Readable,
    signal?: AbortSignal,
  ): Promise<string> {
    const search = new URLSearchParams({ ...query, bytes: String(query.bytes) });
    const answer = await this.#calls.json({
      method: 'PUT',
      path: `${attemptPath(key)}/artifacts?${search.toString()}`,
      headers: { ...tokenHeader(key), 'content-type': 'application/octet-stream' },
      body: { stream, bytes: query.bytes },
      timeoutMs: bytesMs,
      signal,
    });
    return parse(artifactAnswerSchema, answer).artifactId;
  }

  close(): void {
    this.#calls.close();
    this.#beats.close();
  }

  async #post<S extends z.ZodType>(
    client: HttpClient,
    name: string,
    body: unknown,
    schema: S,
    { timeoutMs = callMs, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<z.output<S>> {
    const path = `${workerApiPath}/${name}`;
    const text = JSON.stringify(body);
    return parse(schema, await client.json({ method: 'POST', path, body: { text }, timeoutMs, signal }));
  }
}

function parse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new LinkError(
    'rejected',
    200,
    `The server's answer is not what the contract says: ${parsed.error.message}`,
  );
}

const attemptPath = (key: AttemptKey): string =>
  `${workerApiPath}/attempts/${encodeURIComponent(key.attemptId)}`;
const tokenHeader = (key: AttemptKey): Record<string, string> => ({ [attemptTokenHeader]: key.token });
