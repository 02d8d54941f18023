import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { createSendWatch } from './send-buffer.js';

const mebibyte = 1024 * 1024;
let server: WebSocketServer;
let client: WebSocket;
let near: WebSocket;
let watch: ReturnType<typeof createSendWatch>;

/** The client stops reading, so that all buffers between the two fill up. */
const stopReading = () => (client as unknown as { _socket: Socket })._socket.pause();

async function pair(limits: { unsentBytes: number; stillMs: number }): Promise<void> {
  watch = createSendWatch(limits);
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  [near] = await connected;
  watch.watch(near);
  await once(client, 'open');
}

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
});

afterEach(() => {
  watch.stop();
  client.terminate();
  near.terminate();
  server.close();
});

describe('a socket whose reader is too slow', () => {
  test('is closed once more than the limit waits, and is sent nothing more', async () => {
    await pair({ unsentBytes: mebibyte, stillMs: 60_000 });
    stopReading();
    let sent = 0;
    while (near.readyState === near.OPEN && sent < 1_000) {
      near.send('x'.repeat(64 * 1024));
      sent++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(near.readyState).toBe(near.CLOSING);
    expect(near.bufferedAmount).toBeLessThan(2 * mebibyte);
  });

  test('is closed when a message stays pending', async () => {
    await pair({ unsentBytes: 1_000 * mebibyte, stillMs: 200 });
    stopReading();
    for (let i = 0; i < 20; i++) near.send('x'.repeat(mebibyte));
    const started = performance.now();
    while (near.readyState === near.OPEN && performance.now() - started < 5_000)
      await new Promise((resolve) => setImmediate(resolve));
    expect(near.readyState).toBe(near.CLOSING);
    expect(performance.now() - started).toBeGreaterThan(150);
  });

  test('is told 1013 when it reads again; one that reads is left alone', async () => {
    await pair({ unsentBytes: mebibyte, stillMs: 200 });
    const closed = once(client, 'close') as Promise<[number]>;
    for (let i = 0; i < 50; i++)
      await new Promise<void>((resolve) => near.send('x'.repeat(100_000), () => resolve()));
    expect(near.readyState).toBe(near.OPEN);
    stopReading();
    for (let i = 0; i < 20; i++) near.send('x'.repeat(mebibyte));
    (client as unknown as { _socket: Socket })._socket.resume();
    expect((await closed)[0]).toBe(1013);
  });
});
