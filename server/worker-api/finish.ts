import type { IncomingMessage, ServerResponse } from 'node:http';
import { finishRequestSchema } from '@gjm/core/wire/worker-api.js';
import { readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /finish: how an attempt ended, with its last reports. */
export async function handleFinish(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  sendJson(response, 200, {
    accepted: await services.finishAttempt(await readJson(request, finishRequestSchema)),
  });
}
