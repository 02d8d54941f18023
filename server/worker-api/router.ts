import type { IncomingMessage, ServerResponse } from 'node:http';
import { workerApiPath } from '@gjm/core/wire/worker-api.js';
import type { Accounts } from '../application/accounts/accounts.js';
import type { Files } from '../application/files/files.js';
import type { ArtifactStore, Logger } from '../application/ports.js';
import type { Services } from '../application/services.js';
import { handleArtifact } from './artifact.js';
import { handleClaim } from './claim.js';
import { handleFinish } from './finish.js';
import { handleHeartbeat } from './heartbeat.js';
import { handleHello } from './hello.js';
import { HttpRefusal, sendJson } from './http.js';
import { handleInput } from './input.js';
import { handleReport } from './report.js';
import { handleWait } from './wait.js';

/** What the handlers of this API may use. */
export interface WorkerApi {
  services: Services;
  accounts: Pick<Accounts, 'verifyWorkerToken'>;
  files: Pick<Files, 'storeArtifact'>;
  store: Pick<ArtifactStore, 'open'>;
  logger: Logger;
}

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  api: WorkerApi,
  url: URL,
) => Promise<void>;

interface Route {
  method: 'GET' | 'POST' | 'PUT';
  /** Below /worker/v1; `:name` stands for one segment. */
  path: string;
  handle: Handler;
}

/** Every door of this API. */
export const workerRoutes: readonly Route[] = [
  { method: 'POST', path: '/hello', handle: handleHello },
  { method: 'POST', path: '/heartbeat', handle: handleHeartbeat },
  { method: 'POST', path: '/wait', handle: handleWait },
  { method: 'POST', path: '/claim', handle: handleClaim },
  { method: 'POST', path: '/report', handle: handleReport },
  { method: 'POST', path: '/finish', handle: handleFinish },
  { method: 'PUT', path: '/attempts/:attempt/artifacts', handle: handleArtifact },
  { method: 'GET', path: '/attempts/:attempt/inputs/:file', handle: handleInput },
];
const forms = workerRoutes.map(({ method, path, handle }) => {
  const form = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return { method, form, handle };
});

const handlerOf = (method: string | undefined, path: string): Handler | undefined =>
  forms.find((route) => route.method === method && route.form.test(path))?.handle;

/**
 * The worker API: plain Node handlers, for it is the hot path of every job. Answers: 200 with the wire's JSON, 400 what does not parse,
 * 401 a bad token, 404, 409 another process has this worker's place, 413, 422, 507, 503 Postgres or the store of files away (try again),
 * 500 a bug.
 */
export function createWorkerRouter(api: WorkerApi) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (!request.url?.startsWith(`${workerApiPath}/`)) return next();
    const url = new URL(request.url, 'http://worker.invalid');
    serve(request, response, api, url).catch((error: unknown) => answerFault(error, response, api.logger));
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  api: WorkerApi,
  url: URL,
): Promise<void> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (!token || !(await api.accounts.verifyWorkerToken(token)))
    throw new HttpRefusal(401, 'The worker token is not valid.');
  const handler = handlerOf(request.method, url.pathname.slice(workerApiPath.length));
  if (!handler) throw new HttpRefusal(404, 'There is nothing here.');
  await handler(request, response, api, url);
}

/** Postgres or the store of files away, or a pool with no connection in time: the worker tries again. */
const isTransient = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return (
    /^(08|53|57P|ECONN|EPIPE|ETIMEDOUT|UNAVAILABLE)/.test(code ?? '') ||
    /timeout|terminated|not queryable/i.test(message ?? '')
  );
};

function answerFault(error: unknown, response: ServerResponse, logger: Logger): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof HttpRefusal) return sendJson(response, error.status, { message: error.message });
  const status = isTransient(error) ? 503 : 500;
  logger.error({ err: error, status }, 'a worker request failed');
  sendJson(response, status, { message: status === 503 ? 'Try again.' : 'The server has a fault.' });
}
