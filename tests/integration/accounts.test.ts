import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { startStack, type Stack } from '@gjm/stack/stack.js';
import {
  freshEmail,
  loginMutation,
  post,
  redeemMutation,
  refreshMutation,
  registerMutation,
  signUp,
  viewerOf,
  type SignedIn,
} from '../support/api.js';
import { ServerBench } from '../support/server-process.js';

let stack: Stack;
let bench: ServerBench;
let env: Record<string, string>;
let url: string;
let second: string;
let database: pg.Client;
let admin: SignedIn;

beforeAll(async () => {
  stack = await startStack({
    dataDir: await mkdtemp(join(tmpdir(), 'gjm-accounts-')),
    servers: 0,
    workers: 0,
    port: 0,
    disposable: true,
  });
  bench = new ServerBench(stack);
  env = { ...(await bench.install()), GJM_LOGIN_FAILURES: '5' };
  [url, second] = (await Promise.all([bench.start(env), bench.start(env)])).map(
    (server) => server.address,
  ) as [string, string];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  admin = await signUp(url);
});

afterAll(async () => {
  await database?.end();
  await bench?.close();
  await stack?.close();
});

const login = (input: object, to = url) => post(to, loginMutation, { variables: { input } });
const refresh = async (token: string, to = url) =>
  (await post(to, refreshMutation, { variables: { token } })).data?.['refresh'];

describe('registration', () => {
  test('the first account is ADMIN, the next is USER', async () => {
    expect(admin.role).toBe('ADMIN');
    expect((await signUp(url)).role).toBe('USER');
  });

  test('of many first registrations at once, on two servers, one is ADMIN', async () => {
    const fresh = await bench.install();
    const servers = await Promise.all([bench.start(fresh), bench.start(fresh)]);
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, i) => signUp(servers[i % 2]?.address as string)),
    );
    expect(people.filter(({ role }) => role === 'ADMIN')).toHaveLength(1);
  });

  test('an e-mail is taken in any case, and only once when many ask at once', async () => {
    const email = freshEmail();
    const tries = [email, email.toUpperCase(), ` ${email} `].map((text) =>
      post(url, registerMutation, { variables: { input: { email: text, password: 'long enough' } } }),
    );
    const answers = (await Promise.all(tries)).map((answer) => answer.data?.['register']);
    expect(answers.filter(({ __typename }) => __typename === 'SignInSuccess')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'EMAIL_TAKEN')).toHaveLength(2);
  });

  test('every bad field is named by its path', async () => {
    const input = { email: 'nobody', password: 'short', name: 'x'.repeat(101) };
    const problem = (await post(url, registerMutation, { variables: { input } })).data?.['register'];
    expect(problem).toMatchObject({ __typename: 'ValidationProblem', code: 'VALIDATION' });
    expect(problem.fields.map(({ path }: { path: string[] }) => path)).toEqual([
      ['email'],
      ['password'],
      ['name'],
    ]);
  });

  test('nobody can register the account of the sign-in link', async () => {
    const input = { email: 'Admin@LocalHost', password: 'long enough' };
    expect((await post(url, registerMutation, { variables: { input } })).data?.['register'].code).toBe(
      'EMAIL_TAKEN',
    );
  });

  test('a password is stored as an argon2id hash and nowhere else', async () => {
    const password = 'canary-7f3a-canary';
    const { id } = await signUp(url, { password });
    const { rows } = await database.query('SELECT * FROM users WHERE id = $1', [id]);
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(password);
  });
});

describe('access tokens', () => {
  const forge = async (
    change: (claims: Record<string, unknown>) => void,
    options: jwt.SignOptions = {},
    key?: string,
  ) => {
    const person = await signUp(url);
    const claims = jwt.decode(person.token) as Record<string, unknown>;
    change(claims);
    return jwt.sign(claims, key ?? 'x'.repeat(32), options);
  };

  test('a token that this server did not sign, or not so, is nobody', async () => {
    const [header, payload] = admin.token.split('.') as [string, string];
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const other = Buffer.from(
      JSON.stringify({ ...jwt.decode(admin.token, { json: true }), role: 'ADMIN' }),
    ).toString('base64url');
    const forged = [
      await forge(() => undefined),
      `${none}.${payload}.`,
      `${none}.${payload}`,
      `${header}.${other}.${admin.token.split('.')[2]}`,
      `${admin.token}x`,
      'x',
      'a.b.c',
    ];
    for (const token of forged) {
      expect(await viewerOf(url, token)).toBeNull();
      const answer = await post(url, 'mutation { createInvite(input: {}) { __typename } }', { token });
      expect(answer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  test('without a token only the public doors are open', async () => {
    const { errors } = await post(url, '{ node(id: "x") { id } }');
    expect(errors?.[0]?.extensions).toEqual({
      code: 'UNAUTHENTICATED',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
    });
    expect((await post(url, '{ viewer { id } health { ok } }')).data).toEqual({
      viewer: null,
      health: { ok: true },
    });
  });

  test('a token expires', async () => {
    const short = await bench.start({ ...env, GJM_ACCESS_TOKEN_SECONDS: '1' });
    const { data } = await login({ email: admin.email, password: 'correct horse' }, short.address);
    const token = data?.['login'].accessToken;
    const expiresAt = Date.parse(data?.['login'].expiresAt);
    expect(await viewerOf(url, token)).not.toBeNull();
    await waitFor(async () => (await viewerOf(url, token)) === null);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt - 5);
  });

  test('a disabled user is nobody within two seconds, and can not sign in', async () => {
    const person = await signUp(url);
    await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [person.id]);
    await waitFor(async () => (await viewerOf(url, person.token)) === null);
    expect((await login({ email: person.email, password: 'correct horse' })).data?.['login'].code).toBe(
      'BAD_CREDENTIALS',
    );
    expect((await refresh(person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });
});

describe('login', () => {
  test('a wrong password and an unknown account get the same answer', async () => {
    const { email } = await signUp(url);
    const [wrong, unknown] = await Promise.all([
      login({ email, password: 'not the one' }),
      login({ email: freshEmail(), password: 'not the one' }),
    ]);
    expect(wrong.data).toEqual(unknown.data);
    expect(wrong.data?.['login']).toMatchObject({
      __typename: 'UnauthenticatedProblem',
      code: 'BAD_CREDENTIALS',
    });
  });

  test('of a flood in one document only the allowed number is checked, and a right password in it does not sign in', async () => {
    const { email } = await signUp(url);
    const tryWith = (i: number, password: string) =>
      `t${i}: login(input: { email: "${email}", password: "${password}" }) { __typename }`;
    const tries = [
      ...Array.from({ length: 14 }, (_, i) => tryWith(i, 'not the one')),
      tryWith(14, 'correct horse'),
    ];
    const answers = Object.values((await post(url, `mutation { ${tries.join(' ')} }`)).data ?? {});
    expect(answers.map(({ __typename }) => __typename)).toEqual([
      ...Array<string>(5).fill('UnauthenticatedProblem'),
      ...Array<string>(10).fill('RateLimitedProblem'),
    ]);
  });

  test('of a flood in many requests, over two servers, likewise; then there is a time to wait', async () => {
    const { email } = await signUp(url);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => login({ email, password: 'not the one' }, i % 2 ? url : second)),
    );
    expect(answers.filter(({ data }) => data?.['login'].code === 'BAD_CREDENTIALS')).toHaveLength(5);
    const last = (await login({ email, password: 'correct horse' })).data?.['login'];
    expect(last).toMatchObject({ __typename: 'RateLimitedProblem', code: 'RATE_LIMITED' });
    expect(last.retryAfterMs).toBeGreaterThan(1_000);
  });

  test('a right password within the limit forgets the wrong ones', async () => {
    const { email } = await signUp(url);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await login({ email, password: 'not the one' });
      expect((await login({ email, password: 'correct horse' })).data?.['login'].__typename).toBe(
        'SignInSuccess',
      );
    }
  });

  test('more than fifteen aliases in one document are refused before any work', async () => {
    const tries = Array.from(
      { length: 200 },
      (_, i) => `t${i}: login(input: { email: "a@b.cd", password: "x" }) { __typename }`,
    );
    const { errors, data } = await post(url, `mutation { ${tries.join(' ')} }`);
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe('BUDGET_EXCEEDED');
  });
});

describe('refresh', () => {
  test('a refresh gives a successor; the same again within ten seconds gives the same one', async () => {
    const { refreshToken } = await signUp(url);
    const answers = await Promise.all([
      refresh(refreshToken),
      refresh(refreshToken, second),
      refresh(refreshToken),
    ]);
    expect(new Set(answers.map((answer) => answer.refreshToken)).size).toBe(1);
    expect(answers[0].refreshToken).not.toBe(refreshToken);
  });

  test('a later reuse ends the session, its newest token included', async () => {
    const person = await signUp(url);
    const next = await refresh(person.refreshToken);
    await database.query(
      `UPDATE sessions SET rotated_at = rotated_at - interval '11 seconds' WHERE user_id = $1`,
      [person.id],
    );
    expect((await refresh(person.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect((await refresh(next.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect(await viewerOf(url, next.accessToken)).toBeNull();
  });

  test('the reuse of an older ancestor ends the session too', async () => {
    const person = await signUp(url);
    const next = await refresh((await refresh(person.refreshToken)).refreshToken);
    expect((await refresh(person.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect((await refresh(next.refreshToken)).code).toBe('UNAUTHENTICATED');
  });

  test('invented text ends nothing', async () => {
    const person = await signUp(url);
    const tokens = [
      `${person.refreshToken.slice(0, -1)}_`,
      person.refreshToken.slice(0, -3),
      '',
      'gjmr_x',
      'x'.repeat(100_000),
    ];
    for (const token of tokens) expect((await refresh(token)).code).toBe('UNAUTHENTICATED');
    expect((await refresh(person.refreshToken)).__typename).toBe('SignInSuccess');
  });

  test('only hashes are stored', async () => {
    const person = await signUp(url);
    const { rows } = await database.query('SELECT * FROM sessions WHERE user_id = $1', [person.id]);
    expect(JSON.stringify(rows)).not.toContain(person.refreshToken.slice(-40));
  });

  test('a page gets the token as a cookie that no script and no other site can use', async () => {
    const { email } = await signUp(url);
    const first = await login({ email, password: 'correct horse' });
    expect(first.data?.['login'].refreshToken).toBeNull();
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^gjm_refresh=gjmr_[^;]+; Expires=[^;]+; Path=\/graphql; HttpOnly; SameSite=Strict$/,
    );
    const again = await post(url, refreshMutation, { headers: { cookie: cookie.split(';')[0] as string } });
    expect(again.data?.['refresh']).toMatchObject({ __typename: 'SignInSuccess', refreshToken: null });
    expect(again.headers.get('set-cookie')).not.toBe(cookie);
    const proxied = await post(url, loginMutation, {
      variables: { input: { email, password: 'correct horse' } },
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(proxied.headers.get('set-cookie')).toMatch(/; Secure$/);
  });
});

describe('logout', () => {
  test('ends the session here at once and on another server within two seconds', async () => {
    const person = await signUp(url);
    expect(await viewerOf(second, person.token)).not.toBeNull();
    expect((await post(url, 'mutation { logout }', { token: person.token })).data).toEqual({ logout: true });
    expect(await viewerOf(url, person.token)).toBeNull();
    await waitFor(async () => (await viewerOf(second, person.token)) === null);
    expect((await refresh(person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });

  test('needs no session', async () => {
    expect((await post(url, 'mutation { logout }')).data).toEqual({ logout: true });
  });
});

describe('tokens of an ADMIN', () => {
  test('a USER gets none', async () => {
    const { token } = await signUp(url);
    const mutation = `mutation { createInvite(input: {}) { __typename } createWorkerToken(input: { name: "x" }) { __typename } }`;
    expect((await post(url, mutation, { token })).data).toEqual({
      createInvite: { __typename: 'ForbiddenProblem' },
      createWorkerToken: { __typename: 'ForbiddenProblem' },
    });
  });

  test('a worker token is stored as a hash', async () => {
    const mutation = `mutation { createWorkerToken(input: { name: "rig" }) { ... on CreateWorkerTokenSuccess { token } } }`;
    const token = (await post(url, mutation, { token: admin.token })).data?.['createWorkerToken'].token;
    expect(token).toMatch(/^gjmw_[\w-]{43}$/);
    const { rows } = await database.query('SELECT * FROM worker_tokens');
    expect(rows.map(({ name }) => name)).toContain('rig');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('an invite lets one person in where registration is not open', async () => {
    const mutation = `mutation { createInvite(input: { role: null, hours: null }) { ... on CreateInviteSuccess { invite expiresAt } } }`;
    const { invite } = (await post(url, mutation, { token: admin.token })).data?.['createInvite'] ?? {};
    const shut = (await bench.start({ ...env, GJM_REGISTRATION: 'invite' })).address;
    const register = async (input: object) =>
      (
        await post(shut, registerMutation, {
          variables: { input: { email: freshEmail(), password: 'long enough', ...input } },
        })
      ).data?.['register'];
    expect((await register({})).__typename).toBe('ForbiddenProblem');
    expect((await register({ invite: 'gjmi_unknown' })).__typename).toBe('ForbiddenProblem');
    expect((await register({ invite, email: admin.email })).code).toBe('EMAIL_TAKEN');
    const answers = await Promise.all([register({ invite }), register({ invite })]);
    expect(answers.map(({ __typename }) => __typename).sort()).toEqual(['ForbiddenProblem', 'SignInSuccess']);
  });

  test('hours of an invite have a range', async () => {
    const mutation = `mutation { createInvite(input: { hours: 0 }) { ... on ValidationProblem { fields { path } } } }`;
    expect((await post(url, mutation, { token: admin.token })).data?.['createInvite'].fields).toEqual([
      { path: ['hours'] },
    ]);
  });
});

describe('bootstrap', () => {
  test('a sign-in link works once, makes an ADMIN, and is not the first account', async () => {
    const fresh = await bench.install();
    const link = `gjms_${'a'.repeat(43)}`;
    const { address } = await bench.start({ ...fresh, GJM_BOOTSTRAP_SIGN_IN_TOKEN: link });
    const redeem = async (token: string) =>
      (await post(address, redeemMutation, { variables: { token } })).data?.['redeemSignInLink'];
    expect((await redeem('gjms_unknown')).code).toBe('BAD_CREDENTIALS');
    const answers = await Promise.all([redeem(link), redeem(link)]);
    expect(answers.filter(({ __typename }) => __typename === 'SignInSuccess')).toHaveLength(1);
    const success = answers.find(({ viewer }) => viewer);
    expect(success.viewer).toMatchObject({ email: 'admin@localhost', role: 'ADMIN' });
    expect((await signUp(address)).role).toBe('ADMIN');
    expect((await login({ email: 'admin@localhost', password: '' }, address)).data?.['login'].code).toBe(
      'BAD_CREDENTIALS',
    );
    await bench.start({ ...fresh, GJM_BOOTSTRAP_SIGN_IN_TOKEN: link });
    expect((await redeem(link)).code).toBe('BAD_CREDENTIALS');
  });

  test('where nobody can register, one invite is logged that makes an ADMIN', async () => {
    const fresh = await bench.install();
    const first = await bench.start({ ...fresh, GJM_REGISTRATION: 'closed' });
    const again = await bench.start({ ...fresh, GJM_REGISTRATION: 'closed' });
    expect(again.output()).not.toContain('"invite":"');
    const invite = /"invite":"(gjmi_[\w-]+)"/.exec(first.output())?.[1];
    expect((await signUp(first.address, { invite })).role).toBe('ADMIN');
    const input = { email: freshEmail(), password: 'long enough', invite };
    expect(
      (await post(first.address, registerMutation, { variables: { input } })).data?.['register'].code,
    ).toBe('FORBIDDEN');
  });
});

/** Looks until it holds; fails after five seconds. */
async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error('It did not come to hold within 5 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
