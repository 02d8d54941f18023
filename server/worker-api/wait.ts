import type { IncomingMessage, ServerResponse } from 'node:http';
import { waitRequestSchema } from '@gjm/core/wire/worker-api.js';
import { readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /wait: held open until the worker should beat at once, 25 s at most. */
export async function handleWait(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  const { workerId } = await readJson(request, waitRequestSchema);
  const hangUp = new AbortController();
  response.once('close', () => hangUp.abort());
  await services.pokes.wait(workerId, hangUp.signal);
  if (!response.destroyed) sendJson(response, 200, {});
}
