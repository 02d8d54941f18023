import type { IncomingMessage, ServerResponse } from 'node:http';
import { claimRequestSchema } from '@gjm/core/wire/worker-api.js';
import { readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /claim: takes a dispatched attempt, or is refused it. */
export async function handleClaim(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  const { workerId, attemptId, claimKey } = await readJson(request, claimRequestSchema);
  sendJson(response, 200, await services.claimAttempt(workerId, attemptId, claimKey));
}
