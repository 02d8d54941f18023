import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { attemptTokenHeader } from '@gjm/core/wire/worker-api.js';
import { hashToken } from '../application/claim-attempt.js';
import { readInputKey } from '../persistence/transitions/read-inputs.js';
import { HttpRefusal } from './http.js';
import type { WorkerApi } from './router.js';

/** GET /attempts/<attempt>/inputs/<file>: the bytes of a file that the attempt's job uses, or of a checkpoint of that job, for its holder only. */
export async function handleInput(
  request: IncomingMessage,
  response: ServerResponse,
  api: WorkerApi,
  url: URL,
) {
  const [attemptId = '', , fileId = ''] = url.pathname.split('/').slice(-3);
  const tokenHash = hashToken(String(request.headers[attemptTokenHeader] ?? ''));
  const input = await readInputKey(api.services.database, attemptId, tokenHash, fileId);
  const stream = input && (await api.store.open(input.storageKey));
  if (!stream) throw new HttpRefusal(404, 'There is no such input.');
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': input.bytes });
  await pipeline(stream, response);
}
