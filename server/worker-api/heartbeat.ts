import type { IncomingMessage, ServerResponse } from 'node:http';
import { heartbeatRequestSchema } from '@gjm/core/wire/worker-api.js';
import { HttpRefusal, readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /heartbeat: renews leases; tells what to cancel and what is lost. 404: say hello again. 409: another process has this place. */
export async function handleHeartbeat(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  const answer = await services.workers.heartbeat(await readJson(request, heartbeatRequestSchema));
  if (answer === 'unknown') throw new HttpRefusal(404, 'There is no such worker: say hello.');
  if (answer === 'replaced')
    throw new HttpRefusal(409, 'Another process has taken the place of this worker.');
  sendJson(response, 200, answer);
}
