import type { IncomingMessage, ServerResponse } from 'node:http';
import { cleanJson } from '@gjm/core/text/clean.js';
import { artifactQuerySchema, attemptTokenHeader } from '@gjm/core/wire/worker-api.js';
import { hashToken } from '../application/claim-attempt.js';
import { StorageError } from '../application/ports.js';
import { readJobFactsByAttempt } from '../persistence/transitions/read-job-facts.js';
import { HttpRefusal, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

const refusals: Record<'stale' | 'name-taken' | 'differs', [409 | 422, string]> = {
  stale: [409, 'The attempt is over, or this is not its token.'],
  'name-taken': [422, 'Other bytes of this attempt have this name.'],
  differs: [422, 'The bytes do not have the size and digest that were announced.'],
};

/** PUT /attempts/<attempt>/artifacts: one output file, streamed; answered when it is safe and its row committed. 507 when the disk is full. */
export async function handleArtifact(
  request: IncomingMessage,
  response: ServerResponse,
  api: WorkerApi,
  url: URL,
) {
  const attemptId = url.pathname.split('/').at(-2) ?? '';
  const query = artifactQuerySchema.safeParse(cleanJson(Object.fromEntries(url.searchParams)));
  if (!query.success) throw new HttpRefusal(400, query.error.issues[0]?.message ?? 'not valid');
  const tokenHash = hashToken(String(request.headers[attemptTokenHeader] ?? ''));
  const job = await readJobFactsByAttempt(api.services.database, attemptId);
  if (job?.attempt?.tokenHash !== tokenHash) throw new HttpRefusal(...refusals.stale);
  const input = { ...query.data, jobId: job.id, attemptId, attemptNumber: job.attempt.number };
  const stored = await api.files.storeArtifact(input, tokenHash, request).catch(refuseStorage);
  if (stored.outcome !== 'stored') throw new HttpRefusal(...refusals[stored.outcome]);
  sendJson(response, 200, { artifactId: stored.artifactId });
}

function refuseStorage(error: unknown): never {
  if (!(error instanceof StorageError)) throw error;
  if (error.reason === 'no-space') throw new HttpRefusal(507, 'The artifact store is full.');
  if (error.reason === 'too-large') throw new HttpRefusal(422, 'There are more bytes than were announced.');
  throw new HttpRefusal(400, 'The bytes broke off.');
}
