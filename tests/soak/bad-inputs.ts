import { unwrap, type NodeClient } from '@gjm/client/node.js';
import type { Stack } from '@gjm/stack/stack.js';
import { makeFuzzInputs, type FuzzKind } from '../doors/fuzz-inputs.js';
import { runFuzz } from '../doors/fuzz-run.js';
import { post } from '../support/api.js';
import { signUp } from '../support/sign-in.js';

const count = 10_000;

export interface BadInputs {
  count: number;
  /** How many answers had each HTTP status. */
  statuses: Record<string, number>;
  /** Jobs that were made of it; none could run, and all are cancelled. */
  accepted: number;
  faults: string[];
}

/** Ten thousand bad inputs of one seed: no 5xx, no fault of ours told, the same process afterwards. `client` may cancel everybody's jobs. */
export async function runBadInputs(stack: Stack, client: NodeClient, seed: number): Promise<BadInputs> {
  const pid = stack.pids()['server'];
  const { token } = await signUp(stack.url);
  const { data } = await post<{ jobKinds: FuzzKind[] }>(stack.url, '{ jobKinds { name paramsSchema } }', {
    token,
  });
  const run = await runFuzz(stack.url, token, makeFuzzInputs(seed, count, data?.jobKinds ?? []));
  const faults = run.faults.map(
    ({ input, status, text }) => `${input.what}: ${status} ${text.slice(0, 200)}`,
  );
  if (stack.pids()['server'] !== pid) faults.push('the server did not live through bad inputs');
  let accepted = 0;
  for await (const { id } of client.eachJob({ filter: { status: ['QUEUED', 'RUNNING'] } })) {
    unwrap(await client.cancel(id));
    accepted++;
  }
  return { count: run.count, statuses: run.statuses, accepted, faults };
}
