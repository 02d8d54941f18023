import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { cleanJson } from '@gjm/core/text/clean.js';

/** An answer other than 200, with a sentence for the worker's log. */
export class HttpRefusal extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 409 | 413 | 422 | 507,
    message: string,
  ) {
    super(message);
  }
}

/** Largest JSON body: a report of 1,000 items with full log chunks stays below, in bytes. */
const maxBodyBytes = 80 * 1024 * 1024;

/** Escapes of what Postgres takes neither as text nor as JSON: NUL and (possibly lone) surrogates. */
const oddText = /\\u(0000|[dD][89a-fA-F])/;

/** Reads and parses a JSON body, its text clean; 413 and 400 for what can not be taken. */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new HttpRefusal(413, 'The body is too large.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return oddText.test(text) ? cleanJson(parsed.data) : parsed.data;
  const [issue] = parsed.error.issues;
  throw new HttpRefusal(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, 'The body is not JSON.');
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes);
}
