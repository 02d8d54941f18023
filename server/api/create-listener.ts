import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { HealthReport } from '../application/health.js';
import type { Logger } from '../application/ports.js';
import { createHealthRoutes } from './health/health-routes.js';
import type { GraphqlHttp } from './http.js';
import { requestIdOf } from './request.js';
import { sendFault } from './send-json.js';
import { createStaticWeb } from './static-web.js';

/** Answers a request, or calls `next` when it is not for it. */
export type Door = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

interface ListenerDeps {
  /** Plain Node handlers, asked first and in order: the hot paths of workers and files do not go through Express. */
  doors: Door[];
  graphql: GraphqlHttp;
  health: () => Promise<HealthReport>;
  metrics: RequestHandler;
  webDir: string;
  logger: Logger;
}

/** Everything this server answers over HTTP. */
export function createListener(deps: ListenerDeps): RequestListener {
  const site = createSite(deps);
  return deps.doors.reduceRight<RequestListener>(
    (rest, door) => (request, response) => door(request, response, () => rest(request, response)),
    (request, response) => void site(request, response),
  );
}

/** What Express answers: everything but the hot paths. */
export function createSite({
  graphql,
  health,
  metrics,
  webDir,
  logger,
}: Omit<ListenerDeps, 'doors'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use('/graphql', ...graphql.handlers);
  app.use(createHealthRoutes(health));
  app.get('/metrics', metrics);
  app.use(createStaticWeb(webDir));
  app.use(notFound);
  app.use(faultOf(logger));
  return app;
}

const notFound: RequestHandler = (request, response) =>
  sendFault(response, 404, 'NOT_FOUND', 'There is nothing here.', requestIdOf(request));

const faultOf =
  (logger: Logger): ErrorRequestHandler =>
  (error: { status?: number }, request, response, _next) => {
    const requestId = requestIdOf(request);
    // Express gives errors of a bad request (a path that does not decode, a missing asset) a status of theirs.
    const status =
      typeof error.status === 'number' && error.status >= 400 && error.status < 500 ? error.status : 500;
    if (status === 500) logger.error({ err: error, requestId }, 'a request failed');
    const [code, message] =
      status === 404
        ? ['NOT_FOUND', 'There is nothing here.']
        : status < 500
          ? ['BAD_USER_INPUT', 'The request can not be read.']
          : ['INTERNAL', 'Something went wrong here. It was noted.'];
    sendFault(response, status, code ?? '', message ?? '', requestId);
  };
