import { afterAll, beforeAll, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { ask, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench, type ServerProcess } from '../support/server-process.js';
import { login, password, signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let open: ServerProcess & { address: string };
let behind: ServerProcess & { address: string };

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const limit = { GJM_LOGIN_FAILURES: '1' }; // fifty times as many per address
  [open, behind] = await Promise.all([
    bench.start({ ...(await bench.install()), ...limit }),
    bench.start({ ...(await bench.install()), ...limit, GJM_TRUST_PROXY: 'loopback' }),
  ]);
});
afterAll(() => bench.close());

/** The answers to tries of a link that nobody made, each with its own header. */
async function tryLinks(url: string, forwarded: (at: number) => string, count: number): Promise<string[]> {
  const query = `mutation { redeemSignInLink(token: "x") { ${problemFields} } }`;
  const tries = Array.from({ length: count }, (_, at) =>
    ask(url, query, { headers: { 'x-forwarded-for': forwarded(at) } }),
  );
  return (await Promise.all(tries)).map(({ code }) => code ?? '');
}
const countOf = (codes: string[], wanted: string): number => codes.filter((code) => code === wanted).length;

test('tries are counted by the address that a proxy of ours heard, whatever the client says of itself', async () => {
  const many = await tryLinks(behind.address, (at) => `203.0.113.${at}`, 60);
  expect(countOf(many, 'BAD_CREDENTIALS')).toBe(60);
  const one = await tryLinks(behind.address, (at) => `10.0.0.${at}, 198.51.100.7`, 60);
  expect(countOf(one, 'BAD_CREDENTIALS')).toBe(50);
  expect(countOf(one, 'RATE_LIMITED')).toBe(10);
  await until('the log tells the address', () =>
    /"address":"198\.51\.100\.7"[^\n]*"too many tries"/.test(behind.output()),
  );
});

test('without a proxy of ours the header is nobody’s word', async () => {
  const codes = await tryLinks(open.address, (at) => `203.0.113.${at}`, 60);
  expect(countOf(codes, 'RATE_LIMITED')).toBe(10);
  expect(open.output()).not.toContain('203.0.113.');
});

test('the cookie is Secure where a proxy of ours says that the page came over https', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.250' };
  for (const [{ address }, ending] of [
    [open, /; SameSite=Strict$/],
    [behind, /; Secure$/],
  ] as const) {
    const { email } = await signUp(address);
    const answer = await login(address, { email, password }, headers);
    expect(answer.headers.get('set-cookie')).toMatch(ending);
  }
});

test('a socket of a page is of this host when a proxy of ours says which one was asked for', async () => {
  const connect = (url: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        origin: 'https://gjm.example',
        headers: { 'x-forwarded-host': 'gjm.example' },
      });
      socket.once('open', () => resolve('open'));
      socket.once('error', ({ message }) => resolve(message));
      socket.once('open', () => socket.close());
    });
  expect(await connect(behind.address)).toBe('open');
  expect(await connect(open.address)).toContain('403');
});

test('proxies that can not be are refused at the start', async () => {
  const server = bench.spawn({ ...(await bench.install()), GJM_TRUST_PROXY: 'everybody' });
  expect((await server.exit).code).not.toBe(0);
  expect(server.output()).toMatch(/GJM_TRUST_PROXY: must be a number of hops, or loopback/);
});
