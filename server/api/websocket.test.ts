import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { buildSchema } from 'graphql';
import { WebSocket } from 'ws';
import { createClients, readProxies } from './proxies.js';
import { attachSockets, createGraphqlSockets, type GraphqlSockets } from './websocket.js';

const logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const clients = createClients(readProxies('0'));
const limits = { perUser: 2, all: 4 };

/** Looks at tokens that wait until this is called. */
const identified: (() => void)[] = [];
const slow = new Set<string>();
const accounts = {
  async identify(token: string) {
    if (slow.has(token)) await new Promise<void>((resolve) => identified.push(resolve));
    const claims = { userId: token, sessionId: token, expiresAt: new Date(Date.now() + 60_000) };
    return { viewer: { id: token, email: '', name: '', role: 'USER' }, claims };
  },
  findEndedSessions: async () => [],
  forgetSession: () => {},
};

describe('sockets', () => {
  let server: Server;
  let sockets: GraphqlSockets;
  let port: number;
  const open: WebSocket[] = [];

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    const schema = buildSchema('type Query { a: Int }');
    sockets = createGraphqlSockets({ schema, base: { accounts } as never, clients, logger, limits });
    attachSockets(server, sockets);
  });

  afterAll(async () => {
    for (const socket of open) socket.terminate();
    await sockets.close();
    server.close();
  });

  function connectAs(token: string): WebSocket {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql?x=1`, 'graphql-transport-ws');
    socket.on('error', () => {});
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
    );
    open.push(socket);
    return socket;
  }
  const settled = (condition: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const deadline = Date.now() + 2_000;
      const look = setInterval(() => {
        if (!condition() && Date.now() < deadline) return;
        clearInterval(look);
        if (condition()) resolve();
        else reject(new Error(`It did not come to that: ${JSON.stringify(sockets.use())}`));
      }, 5);
    });

  test.each(['//', '/\\\\', 'http://[', '//:0/', '*', '/graphql/', '/graphqlx', 'http://a:b:c/'])(
    'an upgrade of %s is refused, and the process lives',
    async (path) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      const [said] = (await once(socket, 'data')) as [Buffer];
      expect(said.toString()).toMatch(/^HTTP\/1\.1 40[04] /);
      socket.destroy();
    },
  );

  test('that close while their token is looked at leave nothing behind', async () => {
    slow.add('usr_gone');
    const socket = connectAs('usr_gone');
    await settled(() => identified.length === 1);
    socket.terminate();
    await settled(() => sockets.use().sockets === 0);
    identified.splice(0).forEach((answer) => answer());
    await new Promise((resolve) => setImmediate(resolve));
    expect(sockets.use()).toEqual({ sockets: 0, signedIn: 0, operations: 0 });
  });

  test('beyond a user’s share are closed 1013, and beyond everybody’s are refused', async () => {
    connectAs('a');
    connectAs('a');
    await settled(() => sockets.use().signedIn === 2);
    const [code] = (await once(connectAs('a'), 'close')) as [number];
    expect(code).toBe(1013);
    connectAs('b');
    connectAs('b');
    await settled(() => sockets.use().signedIn === 4);
    const [error] = (await once(connectAs('c'), 'error')) as [Error];
    expect(error.message).toContain('503');
    for (const socket of open) socket.terminate();
    await settled(() => sockets.use().sockets === 0);
    expect(sockets.use()).toEqual({ sockets: 0, signedIn: 0, operations: 0 });
  });
});
