import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  GraphQLError,
  OperationTypeNode,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
  type GraphQLSchema,
} from 'graphql';
import type { Context, ServerOptions } from 'graphql-ws';
import { useServer, type Extra } from 'graphql-ws/use/ws';
import { WebSocketServer, type WebSocket } from 'ws';
import { badInput, unavailable } from '@gjm/core/errors.js';
import type { AccessClaims } from '../application/accounts/access-token.js';
import type { Logger } from '../application/ports.js';
import { budgetRules, parseLimits } from './budgets/budget-rules.js';
import { budgetExceeded } from './budgets/cost.js';
import { messageBytes } from './budgets/limits.js';
import { createContext } from './context.js';
import { formatError } from './format-error.js';
import type { ContextBase } from './http.js';
import { logErrors } from './log-errors.js';
import type { Clients } from './proxies.js';
import { identify, requestIdOf, traceIdOf } from './request.js';
import { createSendWatch } from './send-buffer.js';
import { createSessionWatch } from './session-watch.js';

/** What is known of a socket. The library wants a type literal here, not an interface. */
type SocketFacts = {
  requestId: string;
  traceId: string;
  authorization: unknown;
  claims: AccessClaims;
  expiry: NodeJS.Timeout;
};
type Params = Record<string, unknown>;
type SocketContext = Context<Params, Extra & Partial<SocketFacts>>;

export interface GraphqlSocketDeps {
  schema: GraphQLSchema;
  base: ContextBase;
  clients: Clients;
  logger: Logger;
  limits?: SocketLimits;
}

export interface GraphqlSockets {
  /** Takes over the upgrade when it is for /graphql; false when it is not ours. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes the sockets of a session that ended, 4403. */
  closeSession(sessionId: string): void;
  /** What is open now: sockets, those of them that signed in, and subscriptions begun on them and not ended. */
  use(): SocketUse;
  /** Closes every socket with 1001: clients come back to another server. */
  close(): Promise<void>;
}

export interface SocketUse {
  sockets: number;
  signedIn: number;
  operations: number;
}

/** Open sockets at most: of one user, and of everybody on this server. More are told to come back later. */
export interface SocketLimits {
  perUser: number;
  all: number;
}
const defaultLimits: SocketLimits = { perUser: 5_000, all: 20_000 };

/** Living subscriptions of one socket. */
const maxSubscriptions = 100;
const pingMs = 12_000;
const initMs = 3_000;

/**
 * Subscriptions over graphql-transport-ws (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). Close codes of ours: 4403 bad,
 * expired or ended token (come back with a fresh one), 1013 the reader is too slow or the server busy (come back), 1001 the server stops.
 */
export function createGraphqlSockets(deps: GraphqlSocketDeps): GraphqlSockets {
  const { base, clients, logger, limits = defaultLimits } = deps;
  const server = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  const sessions = createSessionWatch(base.accounts, logger);
  const sends = createSendWatch();
  const signedIn = new Set<SocketContext>();
  server.on('connection', (socket) => sends.watch(socket));
  const disposable = useServer<Params, SocketFacts>(
    { ...socketOptions({ ...deps, limits }, sessions, signedIn), isProd: true },
    server,
    pingMs,
  );
  return {
    upgrade(request, socket, head) {
      // Not parsed as a URL: a request line may hold anything, and an exception here would end the process.
      if (request.url?.replace(/\?.*$/s, '') !== '/graphql') return false;
      if (!isSameOrigin(request.headers.origin, clients.hostOf(request)))
        refuseUpgrade(socket, '403 Forbidden');
      else if (server.clients.size >= limits.all) refuseUpgrade(socket, '503 Service Unavailable');
      else
        server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
      return true;
    },
    closeSession: (sessionId) => sessions.close(sessionId),
    use() {
      let operations = 0;
      for (const { subscriptions } of signedIn) operations += Object.keys(subscriptions).length;
      return { sockets: server.clients.size, signedIn: signedIn.size, operations };
    },
    async close() {
      sessions.stop();
      sends.stop();
      await disposable.dispose();
    },
  };
}

function socketOptions(
  { schema, base, clients, logger, limits }: Required<GraphqlSocketDeps>,
  sessions: ReturnType<typeof createSessionWatch>,
  signedIn: Set<SocketContext>,
): ServerOptions<Params, Extra & Partial<SocketFacts>> {
  return {
    connectionInitWaitTimeout: initMs,
    async onConnect(context) {
      context.extra.requestId = requestIdOf(context.extra.request);
      context.extra.traceId = traceIdOf(context.extra.request);
      context.extra.authorization = context.connectionParams?.['authorization'];
      const { identity, fault } = await identify(base.accounts, context.extra.authorization);
      if (fault) context.extra.socket.close(1013, 'Try again later');
      // One that closed meanwhile has had its onClose: whatever is noted of it now would stay for ever.
      if (!identity || context.extra.socket.readyState === context.extra.socket.CLOSED) return false;
      if (countOf(signedIn, identity.claims.userId) >= limits.perUser) {
        context.extra.socket.close(1013, 'Too many sockets');
        return false;
      }
      context.extra.claims = identity.claims;
      context.extra.expiry = closeAt(context.extra.socket, identity.claims.expiresAt);
      sessions.add(identity.claims.sessionId, context.extra.socket);
      signedIn.add(context);
      return true;
    },
    onClose(context) {
      const { expiry, claims, socket } = context.extra;
      clearTimeout(expiry);
      signedIn.delete(context);
      if (claims) sessions.remove(claims.sessionId, socket);
    },
    async onSubscribe(context, _id, payload) {
      const refused = (error: GraphQLError) => [error];
      if (Object.keys(context.subscriptions).length > maxSubscriptions)
        return refused(budgetExceeded(`A socket may have ${maxSubscriptions} subscriptions.`));
      try {
        return await prepare(schema, base, context, payload);
      } catch (error) {
        return error instanceof GraphQLError
          ? [error]
          : [new GraphQLError('', { originalError: error as Error })];
      }
    },
    onOperation(_context, _id, _payload, _args, result) {
      // A subscription that could not begin ends with one error message, as one that breaks later does.
      const [first] = 'errors' in result ? (result.errors ?? []) : [];
      return first && failWith(first);
    },
    onError({ extra }, _id, payload, errors) {
      logErrors(logger, errors, sourceOf(extra, clients), payload.operationName ?? null);
      return errors.map((error) => formatError(error, extra.requestId ?? ''));
    },
    onNext({ extra }, _id, payload, _args, { errors, ...result }) {
      if (!errors) return undefined; // nothing to change: the library sends what there is
      logErrors(logger, errors, sourceOf(extra, clients), payload.operationName ?? null);
      return { ...result, errors: errors.map((error) => formatError(error, extra.requestId ?? '')) };
    },
  };
}

function countOf(signedIn: Set<SocketContext>, userId: string): number {
  let count = 0;
  for (const { extra } of signedIn) if (extra.claims?.userId === userId) count++;
  return count;
}

const refuseUpgrade = (socket: Duplex, status: string): void =>
  void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);

/** A stream that fails at its first item. */
const failWith = (error: GraphQLError): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

/** Parses, validates and authorises one subscription, under the same budgets as HTTP. Throws what the client shall be told. */
async function prepare(
  schema: GraphQLSchema,
  base: ContextBase,
  { extra }: SocketContext,
  payload: {
    query: string;
    operationName?: string | null | undefined;
    variables?: Record<string, unknown> | null | undefined;
  },
) {
  const document = parse(payload.query, parseLimits);
  const [first] = validate(schema, document, [...specifiedRules, ...budgetRules]);
  if (first) throw first;
  if (getOperationAST(document, payload.operationName)?.operation !== OperationTypeNode.SUBSCRIPTION)
    throw badInput('Only subscriptions go over WebSocket; send queries and mutations by POST.');
  const { identity, fault } = await identify(base.accounts, extra.authorization);
  if (fault) throw unavailable('Try again in a moment.', fault);
  if (!identity) extra.socket?.close(4403, 'Forbidden');
  const contextValue = createContext({
    ...base,
    viewer: identity?.viewer ?? null,
    sessionId: identity?.claims.sessionId ?? null,
    viewerFault: null,
    ...idsOf(extra),
    caller: null,
  });
  return {
    schema,
    document,
    contextValue,
    operationName: payload.operationName,
    variableValues: payload.variables,
  };
}

function closeAt(socket: WebSocket, moment: Date): NodeJS.Timeout {
  return setTimeout(() => socket.close(4403, 'Token expired'), Math.max(0, moment.getTime() - Date.now()));
}

/** Browsers say where a page came from: only pages of this host may connect. Others (CLI, SDK) send no Origin. */
function isSameOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Attaches the sockets to an HTTP server; upgrades for anything else are refused. */
export function attachSockets(server: Server, sockets: GraphqlSockets): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!sockets.upgrade(request, socket, head)) refuseUpgrade(socket, '404 Not Found');
  });
}

/** An operation is answered only after connection_init, which set them. */
const idsOf = ({ requestId = '', traceId = '' }: Partial<SocketFacts>) => ({ requestId, traceId });

/** What the log says of where an operation came from. */
const sourceOf = (extra: Extra & Partial<SocketFacts>, clients: Clients) => ({
  ...idsOf(extra),
  address: clients.addressOf(extra.request),
});
