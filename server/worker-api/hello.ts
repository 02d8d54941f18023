import type { IncomingMessage, ServerResponse } from 'node:http';
import { helloRequestSchema } from '@gjm/core/wire/worker-api.js';
import { readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /hello: a worker process starts. */
export async function handleHello(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  sendJson(response, 200, await services.workers.hello(await readJson(request, helloRequestSchema)));
}
