import type { IncomingMessage, ServerResponse } from 'node:http';
import { heartbeatRequestSchema } from '@gjm/core/wire/worker-api.js';
import { HttpRefusal, readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /heartbeat: renews leases; tells what to cancel and what is lost. 409 when another process has this worker's place. */
export async function handleHeartbeat(request: IncomingMessage, response: ServerResponse, { services }: WorkerApi) {
  const answer = await services.workers.heartbeat(await readJson(request, heartbeatRequestSchema));
  if (!answer) throw new HttpRefusal(409, 'This worker is unknown, or another process has taken its place.');
  sendJson(response, 200, answer);
}
