import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createClient, unwrap, type JobEvent } from '@gjm/client/node.js';
import { createPasswords } from '@gjm/server/application/accounts/password.js';
import { deriveKeys } from '@gjm/server/keys.js';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { RawSocket } from '../support/raw-socket.js';
import { ServerBench } from '../support/server-process.js';
import { freshEmail, login, password, refresh, signUp, viewerOf, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

const secret = 'a secret of these tests: 0123456789abcdef';
const key = deriveKeys(secret).accessToken;
let bench: ServerBench;
let env: Record<string, string>;
let url: string;
let second: string;
/** A server whose tokens live two seconds. */
let short: string;
let person: SignedIn;

beforeAll(async () => {
  bench = new ServerBench(sharedStack(), secret);
  env = { ...(await bench.install()), GJM_DIAGNOSTIC_JOBS: '1', GJM_LOGIN_FAILURES: '5' };
  [url, second] = (await bench.startMany(2, env)) as [string, string];
  [short] = (await bench.startMany(1, { ...env, GJM_ACCESS_TOKEN_SECONDS: '2' })) as [string];
  await signUp(url);
  person = await signUp(url);
}, 30_000);

afterAll(() => bench.close());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hs256 = (header: object, claims: object, with_: Buffer | string = key) => {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', with_).update(text).digest('base64url')}`;
};

/** The claims of a true token, and tokens that differ from it in one respect each. */
function forgeries(): [what: string, token: string][] {
  const claims = JSON.parse(
    Buffer.from(person.token.split('.')[1] as string, 'base64url').toString(),
  ) as Record<string, unknown>;
  const header = { alg: 'HS256', typ: 'JWT' };
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([it]) => it !== name));
  const now = Math.floor(Date.now() / 1000);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const rs256 = `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const true_ = hs256(header, claims);
  return [
    ['alg none with the last dot', `${encode({ alg: 'none' })}.${encode(claims)}.`],
    ['alg none without it', `${encode({ alg: 'none' })}.${encode(claims)}`],
    ['alg NONE with a signature', hs256({ alg: 'NONE' }, claims)],
    ['no alg', hs256({ typ: 'JWT' }, claims)],
    ['an empty key', hs256(header, claims, '')],
    ['another key', hs256(header, claims, 'x'.repeat(32))],
    ['the key of refresh tokens', hs256(header, claims, deriveKeys(secret).refreshToken)],
    ['the secret itself', hs256(header, claims, secret)],
    ['RS256', rs256],
    ['HS256 by a public key', hs256(header, claims, pem)],
    ['HS512', hs256({ alg: 'HS512', typ: 'JWT' }, claims)],
    ['a key of its own', hs256({ ...header, jwk: { kty: 'oct', k: 'eA' } }, claims, 'x')],
    ['a critical header', hs256({ ...header, crit: ['x'], x: 1 }, claims)],
    [
      'a changed payload',
      [true_.split('.')[0], encode({ ...claims, sub: 'usr_x' }), true_.split('.')[2]].join('.'),
    ],
    ['expired', hs256(header, { ...claims, exp: now - 1 })],
    ['not yet valid', hs256(header, { ...claims, nbf: now + 60 })],
    ['no expiry', hs256(header, without('exp'))],
    ['another issuer', hs256(header, { ...claims, iss: 'x' })],
    ['no issuer', hs256(header, without('iss'))],
    ['another audience', hs256(header, { ...claims, aud: 'x' })],
    ['no audience', hs256(header, without('aud'))],
    ['no subject', hs256(header, without('sub'))],
    ['a subject that is no text', hs256(header, { ...claims, sub: null })],
    ['the subject of another session', hs256(header, { ...claims, sub: 'usr_00000000000000000000000000' })],
    ['no session', hs256(header, without('sid'))],
    ['an unknown session', hs256(header, { ...claims, sid: 'ses_00000000000000000000000000' })],
    ['no id', hs256(header, without('jti'))],
    ['two dots', '..'],
    ['a refresh token', person.refreshToken],
    ['a megabyte', 'x'.repeat(10_000)],
  ];
}

describe('an access token', () => {
  test('of the same parts, made by hand, is good: what follows differs in one respect each', async () => {
    const claims = JSON.parse(
      Buffer.from(person.token.split('.')[1] as string, 'base64url').toString(),
    ) as object;
    expect(await viewerOf(url, hs256({ alg: 'HS256', typ: 'JWT' }, claims))).toEqual({ id: person.id });
  });

  test('that is not good in one respect is nobody’s, on HTTP and on a socket', async () => {
    const answers = await Promise.all(
      forgeries().map(async ([what, token]) => {
        const { data, errors } = await post(url, 'mutation { createInvite(input: {}) { __typename } }', {
          token,
        });
        const socket = new RawSocket(url);
        const connected = await socket.connect(token).then(
          () => 'connected',
          async () => (await socket.closed).code,
        );
        socket.close();
        return [what, data, errors?.[0]?.extensions.code, connected];
      }),
    );
    expect(answers).toEqual(forgeries().map(([what]) => [what, null, 'UNAUTHENTICATED', 4403]));
  });
});

describe('a watch', () => {
  test('outlives its tokens: the client returns with a fresh one and misses nothing', async () => {
    const client = createClient({ url: short });
    unwrap(await client.login({ email: person.email, password }));
    const { job } = unwrap(
      await client.submit({ kind: 'diagnostic', params: {}, deviceSelector: { worker: 'none' } }),
    );
    const events: JobEvent[] = [];
    let breaks = 0;
    const onState = (state: string) => void (breaks += state === 'live' ? 0 : 1);
    const watching = (async () => {
      for await (const event of client.watch(job.id, { onState })) events.push(event);
    })();
    await until('the first events', () => events.length >= 2);
    await until('the first token is over', () => breaks >= 1);
    await until('the second token is over', () => breaks >= 2);
    unwrap(await client.cancel(job.id));
    await watching;
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ status: 'CANCELLED' });
    client.close();
  });

  test('of a session whose old refresh token is used again closes on every server', async () => {
    const robbed = await signUp(url);
    const { refreshToken: child = null } = await refresh(url, robbed.refreshToken);
    await refresh(url, child);
    const sockets = await Promise.all(
      [url, second].map((server) => new RawSocket(server).connect(robbed.token)),
    );
    expect((await refresh(second, robbed.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect(await Promise.all(sockets.map(async ({ closed }) => (await closed).code))).toEqual([4403, 4403]);
  });
});

describe('two at once', () => {
  test('tabs that renew one session both go on, and the session lives', async () => {
    const { refreshToken } = await signUp(url);
    for (let round = 0, token: string | null = refreshToken; round < 5; round++) {
      const tabs = await Promise.all([url, second, url, second].map((server) => refresh(server, token)));
      expect(new Set(tabs.map(({ __typename }) => __typename))).toEqual(new Set(['SignInSuccess']));
      const successors = new Set(tabs.map((tab) => tab.refreshToken));
      expect(successors.size).toBe(1);
      [token] = [...successors] as [string];
    }
  });
});

describe('a sign-in that fails', () => {
  test('costs the same hash work for an account that is none', async () => {
    const passwords = createPasswords();
    const known = await passwords.hash(password);
    // Work is counted as CPU time of the hash itself: a hash that is left out would show as a thousandth.
    const work = async (hash: string | null) => {
      const before = process.cpuUsage();
      for (let i = 0; i < 5; i++) expect(await passwords.verify(hash, 'not the one')).toBe(false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await passwords.verify(null, 'warm');
    const [ofKnown, ofUnknown] = [await work(known), await work(null)];
    expect(ofUnknown).toBeGreaterThan(ofKnown / 3);
  });

  test('is counted inside the resolver: aliases, operations at once, both servers and the socket change nothing', async () => {
    const { email } = await signUp(url);
    const many = (right: number) =>
      Array.from(
        { length: 15 },
        (_, i) =>
          `t${i}: login(input: { email: "${email}", password: "${i === right ? password : 'wrong'}" }) { __typename }`,
      ).join(' ');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        post<Record<string, { __typename: string }>>(i % 2 ? url : second, `mutation { ${many(14)} }`),
      ),
    );
    const kinds = answers.flatMap(({ data }) =>
      Object.values(data ?? {}).map(({ __typename }) => __typename),
    );
    expect(kinds).toHaveLength(120);
    expect(kinds.filter((kind) => kind === 'UnauthenticatedProblem').length).toBeLessThanOrEqual(5);
    expect(kinds).not.toContain('SignInSuccess');
    const batch = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 100 }, () => ({ query: `mutation { ${many(0)} }` }))),
    });
    expect(batch.status).toBe(400);
    expect((await login(url, { email, password })).code).toBe('RATE_LIMITED');
    expect((await login(url, { email: freshEmail(), password })).code).toBe('BAD_CREDENTIALS');
  });
});
