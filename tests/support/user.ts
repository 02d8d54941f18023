import {
  createClient,
  unwrap,
  type JobEvent,
  type NodeClient,
  type SubmitJobInput,
} from '@gjm/client/node.js';

let made = 0;

/** A client signed in as somebody new. */
export async function newUser(url: string): Promise<NodeClient> {
  const client = createClient({ url });
  const email = `user-${process.pid}-${Date.now()}-${++made}@example.com`;
  unwrap(await client.register({ email, password: 'correct horse battery', name: 'Test User' }));
  return client;
}

/** Submits a diagnostic job and gives its id. */
export async function submitDiagnostic(
  client: NodeClient,
  params: Record<string, unknown>,
  input: Partial<SubmitJobInput> = {},
): Promise<string> {
  return unwrap(await client.submit({ kind: 'diagnostic', params, ...input })).job.id;
}

/** Every event of a job up to its terminal one. */
export async function watchToEnd(client: NodeClient, jobId: string, after = 0): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of client.watch(jobId, { after })) events.push(event);
  return events;
}

/** The statuses that a list of events tells, in order. */
export const statusesOf = (events: readonly JobEvent[]): string[] =>
  events.flatMap((event) => (event.__typename === 'JobStatusEvent' ? [event.status] : []));

/** All log text of one stream, in order. */
export const logOf = (events: readonly JobEvent[], stream = 'STDOUT'): string =>
  events
    .map((event) => (event.__typename === 'JobLogEvent' && event.stream === stream ? event.text : ''))
    .join('');
