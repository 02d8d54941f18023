import { Agent, request } from 'node:http';
import type { FuzzInput } from './fuzz-inputs.js';
import { innerWords } from './server-log.js';

/** Requests on their way at once. */
const lanes = 16;
/** An answer must be there within this time, in ms. */
const limitMs = 5_000;

export interface FuzzRun {
  /** How many were sent. */
  count: number;
  /** How many answers had each HTTP status. */
  statuses: Record<string, number>;
  /** Answers that must not be: none at all, a 5xx, an INTERNAL, a word of our inside. */
  faults: { input: FuzzInput; status: number; text: string }[];
}

/** Sends all of it to a server as somebody signed in, several at once, and says what came back. */
export async function runFuzz(url: string, token: string, inputs: Iterable<FuzzInput>): Promise<FuzzRun> {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const run: FuzzRun = { count: 0, statuses: {}, faults: [] };
  // One iterator for all lanes: each input is sent once.
  const rest = inputs[Symbol.iterator]() as IterableIterator<FuzzInput>;
  const lane = async () => {
    for (const input of rest) {
      run.count++;
      const { status, text } = await send(agent, url, token, input).catch((error: Error) => ({
        status: 0,
        text: error.message,
      }));
      run.statuses[status] = (run.statuses[status] ?? 0) + 1;
      // What a caller sent may come back in a message; what stands for our inside may not.
      if (status >= 500 || status === 0 || /"INTERNAL"/.test(text) || innerWords.test(text))
        run.faults.push({ input, status, text: text.slice(0, 500) });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  agent.destroy();
  return run;
}

/** Sends it as it is: `fetch` would refuse or repair some of it. */
const send = (
  agent: Agent,
  url: string,
  token: string,
  input: FuzzInput,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = { authorization: `Bearer ${token}`, ...input.headers };
    const { method, path, body } = input;
    const outgoing = request({ agent, host: hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    outgoing
      .on('error', reject)
      .setTimeout(limitMs, () => outgoing.destroy(new Error(`No answer within ${limitMs} ms.`)));
    outgoing.end(body);
  });
