import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createClients, readProxies } from './proxies.js';

const requestFrom = (remoteAddress: string, headers: Record<string, string>): IncomingMessage =>
  ({ socket: { remoteAddress }, headers }) as never;

describe('the address of a client', () => {
  const cases: [proxies: string, peer: string, forwarded: string, address: string][] = [
    ['0', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['loopback', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['loopback', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['loopback', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    // What the client wrote itself stands before what the proxy heard.
    ['loopback', '127.0.0.1', '10.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['1', '198.51.100.7', '10.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['2', '198.51.100.7', '203.0.113.9,198.51.100.8', '203.0.113.9'],
    ['loopback, 10.0.0.0/8', '127.0.0.1', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['10.0.0.0/8', '10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
    ['fd00::/8', 'fd00::1', '2001:db8::9', '2001:db8::9'],
    ['loopback', '127.0.0.1', '', '127.0.0.1'],
    ['loopback', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['9', '127.0.0.1', "x'y, 203.0.113.9", '203.0.113.9'],
  ];
  test.each(cases)('behind %s, from %s that says "%s", is %s', (proxies, peer, forwarded, address) => {
    const request = requestFrom(peer, { 'x-forwarded-for': forwarded });
    expect(createClients(readProxies(proxies)).addressOf(request)).toBe(address);
  });
});

test('scheme and host are believed from proxies of ours alone', () => {
  const headers = { host: 'inner:4000', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'gjm.example' };
  const clients = createClients(readProxies('10.0.0.1'));
  const [ours, stranger] = [requestFrom('10.0.0.1', headers), requestFrom('10.0.0.2', headers)];
  expect([clients.isHttps(ours), clients.hostOf(ours)]).toEqual([true, 'gjm.example']);
  expect([clients.isHttps(stranger), clients.hostOf(stranger)]).toEqual([false, 'inner:4000']);
});

test.each(['nowhere', '10.0.0.0/99', '-1', '1.5', 'true', ' '])('%j names no proxies', (text) => {
  expect(() => readProxies(text)).toThrow();
});
