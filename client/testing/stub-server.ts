import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buildSchema, graphql, GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

/** Answers by field name of Query, Mutation and Subscription, called with the field's arguments. */
export type Fields = Record<string, (args: Record<string, unknown>) => unknown>;

export interface StubOptions {
  fields: Fields;
  /** Whether a token is good; all are when left out. A bad one closes the socket with 4403 and answers UNAUTHENTICATED. */
  isGood?: (authorization: string | undefined) => boolean;
  /** Answers what is not /graphql. */
  files?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A real HTTP and WebSocket server that speaks the contract with made-up answers, and can be made to fail. */
export interface StubServer {
  url: string;
  /** Live sockets opened so far. */
  socketCount(): number;
  /** Ends every live socket: with a close code, or without a word. */
  cut(code?: number): void;
  /** Leaves the present live sockets open but reads and answers nothing on them, as a frozen host does. */
  silence(): void;
  /** Stops and frees the port; `start` opens it again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const publicFields = /\b(refresh|login|register|redeemSignInLink|viewer|health)\b/;

/** What the server says when it refuses for good. */
export const refuse = (code: string): GraphQLError =>
  new GraphQLError(`refused: ${code}`, { extensions: { code } });

async function bodyOf(
  request: IncomingMessage,
): Promise<{ query: string; variables: Record<string, unknown> }> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return JSON.parse(text) as { query: string; variables: Record<string, unknown> };
}

async function answer(
  options: StubOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { query, variables } = await bodyOf(request);
  const good = options.isGood?.(request.headers.authorization) ?? true;
  const result =
    good || publicFields.test(query.split('\n')[2] ?? '')
      ? await graphql({ schema, source: query, variableValues: variables, rootValue: options.fields })
      : { data: null, errors: [refuse('UNAUTHENTICATED').toJSON()] };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(result));
}

/** Sockets are kept so that stopping can break them, as a killed server does. */
async function open(options: StubOptions, port: number, opened: () => void) {
  const http: Server = createServer((request, response) => {
    if (request.url === '/graphql') void answer(options, request, response);
    else options.files?.(request, response);
  });
  const sockets = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const live = new WebSocketServer({ server: http, path: '/graphql' });
  live.on('connection', opened);
  useServer(
    {
      schema,
      roots: { subscription: options.fields },
      onConnect: ({ connectionParams }) =>
        options.isGood?.(connectionParams?.['authorization'] as string | undefined) ?? true,
    },
    live,
  );
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return { http, sockets, live };
}

export async function startStub(options: StubOptions): Promise<StubServer> {
  let socketCount = 0;
  const count = (): void => void socketCount++;
  let now = await open(options, 0, count);
  const { port } = now.http.address() as AddressInfo;
  const cut = (code?: number): void => {
    for (const socket of now.live.clients) {
      if (code === undefined) socket.terminate();
      else socket.close(code, 'test');
    }
  };
  return {
    url: `http://127.0.0.1:${port}`,
    socketCount: () => socketCount,
    cut,
    silence: () => {
      for (const socket of now.live.clients) {
        socket.pause();
        socket.send = () => undefined;
      }
    },
    stop: async () => {
      cut();
      for (const socket of now.sockets) socket.destroy();
      now.live.close();
      await new Promise((resolve) => now.http.close(resolve));
    },
    start: async () => {
      now = await open(options, port, count);
    },
  };
}
