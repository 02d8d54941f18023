import type { IncomingMessage, ServerResponse } from 'node:http';
import { reportRequestSchema } from '@gjm/core/wire/worker-api.js';
import { readJson, sendJson } from './http.js';
import type { WorkerApi } from './router.js';

/** POST /report: progress, metrics and log of a living attempt, each number once. */
export async function handleReport(
  request: IncomingMessage,
  response: ServerResponse,
  { services }: WorkerApi,
) {
  sendJson(response, 200, await services.recordReport(await readJson(request, reportRequestSchema)));
}
