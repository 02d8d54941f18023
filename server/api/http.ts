import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { GraphQLError, Kind, type DocumentNode, type GraphQLSchema } from 'graphql';
import { unauthenticated } from '@gjm/core/errors.js';
import type { Logger } from '../application/ports.js';
import { budgetRules, parseLimits } from './budgets/budget-rules.js';
import { bodyBytes } from './budgets/limits.js';
import { createContext, type GraphqlContext } from './context.js';
import { formatError } from './format-error.js';
import { logErrors } from './log-errors.js';
import type { Clients } from './proxies.js';
import { callerOf } from './refresh-cookie.js';
import { identify, requestIdOf, traceIdOf } from './request.js';

/** What every context holds, besides who asks. */
export type ContextBase = Pick<GraphqlContext, 'services' | 'accounts' | 'files' | 'health'>;

export interface GraphqlHttpDeps {
  schema: GraphQLSchema;
  base: ContextBase;
  clients: Clients;
  logger: Logger;
  /** On loopback anybody may read the schema. */
  isLoopback: boolean;
  /** Told how long each operation took, in seconds, by its first root field. */
  times: { observe(field: string | undefined, seconds: number): void };
}

export interface GraphqlHttp {
  /** In order; the last one turns bad bodies into answers. */
  handlers: (RequestHandler | ErrorRequestHandler)[];
  stop(): Promise<void>;
}

/** A JSON body must be there within this time, in ms. */
const bodyMs = 15_000;

/** GraphQL over HTTP: one operation a request, POST (or GET with a header that forces a preflight), JSON. */
export async function createGraphqlHttp(deps: GraphqlHttpDeps): Promise<GraphqlHttp> {
  const { schema, logger, isLoopback, times } = deps;
  const apollo = new ApolloServer<GraphqlContext>({
    schema,
    validationRules: [...budgetRules],
    parseOptions: parseLimits,
    introspection: true, // who may is decided per viewer below: validated documents are cached for all
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: ({ message, extensions }, error) => {
      const id = extensions?.['requestId'];
      return formatError(asGraphQLError(error, message), typeof id === 'string' ? id : '');
    },
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      operationPlugin(logger, isLoopback),
      timingPlugin(times),
    ],
    logger: quiet(logger),
  });
  await apollo.start();
  const middleware = expressMiddleware(apollo, {
    context: async ({ req, res }) => makeContext(deps, req, res),
  });
  return {
    handlers: [answerWithRequestId, limitBodyTime, express.json({ limit: bodyBytes }), middleware, bodyFault],
    stop: () => apollo.stop(),
  };
}

async function makeContext(
  { base, clients }: GraphqlHttpDeps,
  request: Request,
  response: Response,
): Promise<GraphqlContext> {
  const { identity, fault } = await identify(base.accounts, request.headers.authorization);
  return createContext({
    ...base,
    viewer: identity?.viewer ?? null,
    sessionId: identity?.claims.sessionId ?? null,
    viewerFault: fault,
    requestId: String(response.getHeader('x-request-id')),
    traceId: traceIdOf(request),
    caller: callerOf(clients, request, response),
  });
}

/** Notes errors with their request id, and keeps the schema from strangers. */
function operationPlugin(logger: Logger, isLoopback: boolean): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart({ contextValue: { viewer, requestId, traceId, caller } }) {
      return {
        async didResolveOperation({ document }) {
          if (viewer === null && !isLoopback && asksForSchema(document))
            throw asGraphQLError(unauthenticated(), '');
        },
        async didEncounterErrors({ errors, operationName }) {
          const from = { requestId, traceId, address: caller?.address ?? '' };
          logErrors(logger, errors, from, operationName ?? null);
          for (const error of errors) {
            error.extensions['requestId'] = requestId;
            // "Did you mean" tells what the schema holds.
            if (viewer === null && !isLoopback)
              error.message = error.message.replace(/ Did you mean .*$/, '');
          }
        },
      };
    },
  };
}

/** Measures each operation, under the name of its first root field. */
function timingPlugin(times: GraphqlHttpDeps['times']): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      const startedAt = performance.now();
      return {
        async willSendResponse({ operation }) {
          const first = operation?.selectionSet.selections[0];
          const field = first?.kind === Kind.FIELD ? first.name.value : undefined;
          times.observe(field, (performance.now() - startedAt) / 1_000);
        },
      };
    },
  };
}

/** Schema fields stand at the top of an operation or of a fragment that is spread there; anywhere else they do not validate. */
const asksForSchema = (document: DocumentNode): boolean =>
  document.definitions.some(
    (definition) =>
      'selectionSet' in definition &&
      definition.selectionSet?.selections.some(
        (node) =>
          node.kind === Kind.FIELD && (node.name.value === '__schema' || node.name.value === '__type'),
      ),
  );

const asGraphQLError = (error: unknown, message: string): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError(message, { originalError: error as Error });

/** Sets `x-request-id`, and puts the id into errors that Apollo answers before there is a context. */
const answerWithRequestId: RequestHandler = (request, response, next) => {
  const requestId = requestIdOf(request);
  response.setHeader('x-request-id', requestId);
  response.setHeader('x-content-type-options', 'nosniff');
  const send = response.send.bind(response);
  response.send = (body) =>
    send(
      response.statusCode >= 400 && typeof body === 'string'
        ? body.replaceAll('"requestId":""', `"requestId":"${requestId}"`)
        : body,
    );
  next();
};

const limitBodyTime: RequestHandler = (request, _response, next) => {
  const timer = setTimeout(() => request.destroy(), bodyMs);
  request.once('close', () => clearTimeout(timer)).once('end', () => clearTimeout(timer));
  next();
};

/** A body that is no JSON, too large or broken off, in the shape of a GraphQL error. */
const bodyFault: ErrorRequestHandler = (
  error: { type?: string; status?: number },
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error);
  const isTooLarge = error.type === 'entity.too.large';
  const isCallers = typeof error.status === 'number' && error.status < 500;
  if (!isCallers) return next(error);
  const message = isTooLarge
    ? `A request may have at most ${bodyBytes} bytes.`
    : 'The body is not a JSON object.';
  const code = isTooLarge ? 'BUDGET_EXCEEDED' : 'BAD_USER_INPUT';
  const requestId = response.getHeader('x-request-id');
  response.status(isTooLarge ? 413 : 400).json({ errors: [{ message, extensions: { code, requestId } }] });
};

/** Apollo's own words, which are about its cache and its start, at debug level. */
const quiet = (logger: Logger) => ({
  debug: (message?: unknown) => logger.debug({}, String(message)),
  info: (message?: unknown) => logger.debug({}, String(message)),
  warn: (message?: unknown) => logger.debug({}, String(message)),
  error: (message?: unknown) => logger.warn({}, String(message)),
});
