import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';

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

/** Reads and parses a JSON body; 413 and 400 for what can not be taken. */
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
  const parsed = schema.safeParse(parseJson(Buffer.concat(chunks).toString()));
  if (parsed.success) return parsed.data;
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
