import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { faultOfStatus, LinkError } from './link-error.js';

export interface CallOptions {
  method: 'GET' | 'POST' | 'PUT';
  /** Path with query, from the server's root. */
  path: string;
  headers?: Record<string, string>;
  /** Text is sent whole; a stream needs `bytes`. */
  body?: { text: string } | { stream: Readable; bytes: number };
  /** The answer must have begun (and for `json` have ended) within this many ms without a sign of life in between. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** At most this much of an answer is read as text: the server's own words are short. */
const longestAnswer = 16 * 1024 * 1024;

/** HTTP to one server over kept connections. Every failure is a {@link LinkError}. */
export class HttpClient {
  readonly #base: URL;
  readonly #token: string;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;

  constructor(base: string, token: string) {
    this.#base = new URL(base);
    this.#token = token;
    const isSecure = this.#base.protocol === 'https:';
    this.#request = isSecure ? httpsRequest : httpRequest;
    // `lifo` keeps a few connections hot instead of many lukewarm ones, which servers close under our hands.
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({
      keepAlive: true,
      scheduling: 'lifo',
      maxSockets: 256,
    });
  }

  /** Sends and returns the parsed JSON of a successful answer. */
  async json(options: CallOptions): Promise<unknown> {
    const answer = await this.open(options);
    const text = await readText(answer);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw new LinkError(
        'rejected',
        answer.statusCode ?? null,
        'The server answered with something that is no JSON.',
        {
          cause: error,
        },
      );
    }
  }

  /** Sends and returns the body of a successful answer as a stream, which the caller must read or destroy. */
  async open(options: CallOptions): Promise<IncomingMessage> {
    const answer = await this.#send(options);
    const status = answer.statusCode ?? 0;
    const fault = faultOfStatus(status);
    if (fault === null) return answer;
    const said = await readText(answer).catch(() => '');
    throw new LinkError(
      fault,
      status,
      `${options.method} ${pathOnly(options.path)}: HTTP ${status}${sentenceOf(said)}`,
    );
  }

  /** Ends all connections; calls in flight fail. */
  close(): void {
    this.#agent.destroy();
  }

  #send(options: CallOptions): Promise<IncomingMessage> {
    const { method, path, body, timeoutMs, signal } = options;
    const headers: Record<string, string | number> = {
      authorization: `Bearer ${this.#token}`,
      ...options.headers,
    };
    if (body && 'text' in body) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(body.text);
    } else if (body) headers['content-length'] = body.bytes;
    const target: RequestOptions = { method, headers, agent: this.#agent, timeout: timeoutMs, signal };
    return new Promise((resolve, reject) => {
      const outgoing = this.#request(new URL(path, this.#base), target, resolve);
      const fail = (error: Error) =>
        reject(
          new LinkError('unreachable', null, `${method} ${pathOnly(path)}: ${error.message}`, {
            cause: error,
          }),
        );
      outgoing.on('error', fail);
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      if (!body) return void outgoing.end();
      if ('text' in body) return void outgoing.end(body.text);
      body.stream.on('error', (error) => outgoing.destroy(error));
      outgoing.once('close', () => body.stream.destroy());
      // An answer that comes before all bytes are sent is a refusal: the rest is not worth sending.
      outgoing.once('response', (answer) =>
        answer.once('end', () => {
          if (!outgoing.writableFinished) outgoing.destroy();
        }),
      );
      body.stream.pipe(outgoing);
    });
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length;
      if (bytes > longestAnswer) throw new Error('the answer is too long');
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw new LinkError('unreachable', answer.statusCode ?? null, 'The answer broke off.', { cause: error });
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The server's own sentence, when its answer has one. */
function sentenceOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return `: ${message.slice(0, 500)}`;
  } catch {
    // not JSON: a proxy's page, most likely
  }
  return '';
}

const pathOnly = (path: string): string => path.split('?')[0] ?? path;
