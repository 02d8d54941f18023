import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ask, post, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import {
  freshEmail,
  login,
  password,
  redeem,
  refresh,
  register,
  signUp,
  viewerOf,
  type SignedIn,
} from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let env: Record<string, string>;
let url: string;
let second: string;
let database: pg.Client;
let admin: SignedIn;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  env = { ...(await bench.install()), GJM_LOGIN_FAILURES: '5' };
  [url, second] = (await bench.startMany(2, env)) as [string, string];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  admin = await signUp(url);
});

afterAll(async () => {
  await database.end();
  await bench.close();
});

const rowsOf = async (sql: string, values: unknown[] = []) =>
  (await database.query<Record<string, string>>(sql, values)).rows;
const kindOf = ({ __typename }: { __typename: string }) => __typename;

describe('registration', () => {
  test('the first account is ADMIN, the next is USER', async () => {
    expect(admin.role).toBe('ADMIN');
    expect((await signUp(url)).role).toBe('USER');
  });

  test('of many first registrations at once, on two servers, one is ADMIN', async () => {
    const servers = await bench.startMany(2, await bench.install());
    const people = await Promise.all(Array.from({ length: 10 }, (_, i) => signUp(servers[i % 2] ?? url)));
    expect(people.filter(({ role }) => role === 'ADMIN')).toHaveLength(1);
  });

  test('an e-mail is taken in any case, and only once when many ask at once', async () => {
    const email = freshEmail();
    const spellings = [email, email.toUpperCase(), ` ${email} `];
    const answers = await Promise.all(spellings.map((text) => register(url, { email: text })));
    expect(answers.map(kindOf).sort()).toEqual(['ConflictProblem', 'ConflictProblem', 'SignInSuccess']);
    expect(answers.filter(({ code }) => code === 'EMAIL_TAKEN')).toHaveLength(2);
  });

  test('every bad field is named by its path', async () => {
    const problem = await register(url, { email: 'nobody', password: 'short', name: 'x'.repeat(101) });
    expect(problem).toMatchObject({ __typename: 'ValidationProblem', code: 'VALIDATION' });
    expect(problem.fields?.map(({ path }) => path)).toEqual([['email'], ['password'], ['name']]);
  });

  test('nobody can register the account of the sign-in link', async () => {
    expect((await register(url, { email: 'Admin@LocalHost' })).code).toBe('EMAIL_TAKEN');
  });

  test('a password is stored as an argon2id hash and nowhere else', async () => {
    const secret = 'canary-7f3a-canary';
    const { id } = await signUp(url, { password: secret });
    const rows = await rowsOf('SELECT * FROM users WHERE id = $1', [id]);
    expect(rows[0]?.['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('access', () => {
  test('a token that this server did not sign, or not so, is nobody', async () => {
    const [header, payload, signature] = admin.token.split('.') as [string, string, string];
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url');
    const forged = [
      `${none}.${payload}.`,
      `${none}.${payload}`,
      `${header}.${changed}.${signature}`,
      `${admin.token}x`,
      'x',
      'a.b.c',
    ];
    for (const token of forged) {
      expect(await viewerOf(url, token)).toBeNull();
      const { errors } = await post(url, 'mutation { createInvite(input: {}) { __typename } }', { token });
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  test('without a token only the public doors are open', async () => {
    const { errors } = await post(url, '{ node(id: "x") { id } }');
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(errors?.[0]?.extensions.requestId).toMatch(/^[\w-]{36}$/);
    expect((await post(url, '{ viewer { id } health { ok } }')).data).toEqual({
      viewer: null,
      health: { ok: true },
    });
  });

  test('a token expires', async () => {
    const [short = url] = await bench.startMany(1, { ...env, GJM_ACCESS_TOKEN_SECONDS: '3' });
    const { accessToken = '', expiresAt = '' } = await login(short, { email: admin.email, password });
    expect(await viewerOf(url, accessToken)).not.toBeNull();
    await until('the token expired', async () => (await viewerOf(url, accessToken)) === null);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt) - 5);
  });

  test('a disabled user is nobody within two seconds, and can not sign in', async () => {
    const person = await signUp(url);
    await rowsOf('UPDATE users SET disabled_at = now() WHERE id = $1', [person.id]);
    await until('the user is nobody', async () => (await viewerOf(url, person.token)) === null);
    expect((await login(url, { email: person.email, password })).code).toBe('BAD_CREDENTIALS');
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });
});

describe('login', () => {
  const wrong = 'not the one';

  test('a wrong password and an unknown account get the same answer', async () => {
    const { email } = await signUp(url);
    const [known, unknown] = await Promise.all([
      login(url, { email, password: wrong }),
      login(url, { email: freshEmail(), password: wrong }),
    ]);
    expect(known.data).toEqual(unknown.data);
    expect(known).toMatchObject({ __typename: 'UnauthenticatedProblem', code: 'BAD_CREDENTIALS' });
  });

  test('of a flood in one document only the allowed number is checked, and a right password in it does not sign in', async () => {
    const { email } = await signUp(url);
    const tries = Array.from({ length: 15 }, (_, i) => {
      return `t${i}: login(input: { email: "${email}", password: "${i === 14 ? password : wrong}" }) { __typename }`;
    });
    const { data } = await post<Record<string, { __typename: string }>>(
      url,
      `mutation { ${tries.join(' ')} }`,
    );
    expect(Object.values(data ?? {}).map(kindOf)).toEqual([
      ...Array<string>(5).fill('UnauthenticatedProblem'),
      ...Array<string>(10).fill('RateLimitedProblem'),
    ]);
  });

  test('of a flood in many requests, over two servers, likewise; then there is a time to wait', async () => {
    const { email } = await signUp(url);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => login(i % 2 ? url : second, { email, password: wrong })),
    );
    expect(answers.filter(({ code }) => code === 'BAD_CREDENTIALS')).toHaveLength(5);
    const last = await login(url, { email, password });
    expect(last).toMatchObject({ __typename: 'RateLimitedProblem', code: 'RATE_LIMITED' });
    expect(last.retryAfterMs).toBeGreaterThan(1_000);
  });

  test('a right password within the limit forgets the wrong ones', async () => {
    const { email } = await signUp(url);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await login(url, { email, password: wrong });
      expect(kindOf(await login(url, { email, password }))).toBe('SignInSuccess');
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
  test('gives a successor; the same again within ten seconds gives the same one', async () => {
    const { refreshToken } = await signUp(url);
    const answers = await Promise.all([url, second, url].map((server) => refresh(server, refreshToken)));
    const successors = new Set(answers.map((answer) => answer.refreshToken));
    expect(successors.size).toBe(1);
    expect(successors).not.toContain(refreshToken);
  });

  test('a later reuse ends the session, its newest token included', async () => {
    const person = await signUp(url);
    const next = await refresh(url, person.refreshToken);
    await rowsOf(`UPDATE sessions SET rotated_at = rotated_at - interval '11 seconds' WHERE user_id = $1`, [
      person.id,
    ]);
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect((await refresh(url, next.refreshToken ?? null)).code).toBe('UNAUTHENTICATED');
    expect(await viewerOf(url, next.accessToken ?? '')).toBeNull();
  });

  test('the reuse of an older ancestor ends the session too', async () => {
    const person = await signUp(url);
    const { refreshToken: child = null } = await refresh(url, person.refreshToken);
    const { refreshToken: grandchild = null } = await refresh(url, child);
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
    expect((await refresh(url, grandchild)).code).toBe('UNAUTHENTICATED');
  });

  test('invented text ends nothing', async () => {
    const { refreshToken } = await signUp(url);
    const invented = [
      `${refreshToken.slice(0, -1)}_`,
      refreshToken.slice(0, -3),
      '',
      'gjmr_x',
      'x'.repeat(100_000),
    ];
    for (const token of invented) expect((await refresh(url, token)).code).toBe('UNAUTHENTICATED');
    expect(kindOf(await refresh(url, refreshToken))).toBe('SignInSuccess');
  });

  test('only hashes are stored', async () => {
    const person = await signUp(url);
    const rows = await rowsOf('SELECT * FROM sessions WHERE user_id = $1', [person.id]);
    expect(JSON.stringify(rows)).not.toContain(person.refreshToken.slice(-40));
  });

  test('a page gets the token as a cookie that no script and no other site can use', async () => {
    const { email } = await signUp(url);
    const first = await login(url, { email, password });
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(first.refreshToken).toBeNull();
    expect(cookie).toMatch(
      /^gjm_refresh=gjmr_[^;]+; Expires=[^;]+; Path=\/graphql; HttpOnly; SameSite=Strict$/,
    );
    const again = await refresh(url, null, { cookie: cookie.replace(/;.*/, '') });
    expect(again).toMatchObject({ __typename: 'SignInSuccess', refreshToken: null });
    expect(again.headers.get('set-cookie')).not.toBe(cookie);
    const pretended = await login(url, { email, password }, { 'x-forwarded-proto': 'https' });
    expect(pretended.headers.get('set-cookie')).toMatch(/; SameSite=Strict$/);
  });
});

describe('logout', () => {
  test('ends the session here at once and on another server within two seconds', async () => {
    const person = await signUp(url);
    expect(await viewerOf(second, person.token)).not.toBeNull();
    expect((await post(url, 'mutation { logout }', { token: person.token })).data).toEqual({ logout: true });
    expect(await viewerOf(url, person.token)).toBeNull();
    await until('the other server knows', async () => (await viewerOf(second, person.token)) === null);
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });

  test('needs no session', async () => {
    expect((await post(url, 'mutation { logout }')).data).toEqual({ logout: true });
  });
});

describe('tokens of an ADMIN', () => {
  const createInvite = `mutation ($input: CreateInviteInput!) { createInvite(input: $input) {
    ${problemFields} ... on CreateInviteSuccess { invite expiresAt } } }`;
  const invite = (input: object = {}) =>
    ask<{ invite: string }>(url, createInvite, { variables: { input }, token: admin.token });

  test('a USER gets none', async () => {
    const { token } = await signUp(url);
    const mutation = `mutation { createInvite(input: {}) { __typename } createWorkerToken(input: { name: "x" }) { __typename } }`;
    expect((await post(url, mutation, { token })).data).toEqual({
      createInvite: { __typename: 'ForbiddenProblem' },
      createWorkerToken: { __typename: 'ForbiddenProblem' },
    });
  });

  test('a worker token is stored as a hash', async () => {
    const mutation = `mutation { createWorkerToken(input: { name: "rig" }) { __typename ... on CreateWorkerTokenSuccess { token } } }`;
    const { token } = await ask<{ token: string }>(url, mutation, { token: admin.token });
    expect(token).toMatch(/^gjmw_[\w-]{43}$/);
    const rows = await rowsOf('SELECT * FROM worker_tokens');
    expect(rows.map(({ name }) => name)).toContain('rig');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('an invite lets one person in where registration is not open', async () => {
    const made = await invite({ role: null, hours: null });
    const [shut = url] = await bench.startMany(1, { ...env, GJM_REGISTRATION: 'invite' });
    expect(kindOf(await register(shut))).toBe('ForbiddenProblem');
    expect(kindOf(await register(shut, { invite: 'gjmi_unknown' }))).toBe('ForbiddenProblem');
    expect((await register(shut, { invite: made.invite, email: admin.email })).code).toBe('EMAIL_TAKEN');
    const two = await Promise.all([1, 2].map(() => register(shut, { invite: made.invite })));
    expect(two.map(kindOf).sort()).toEqual(['ForbiddenProblem', 'SignInSuccess']);
  });

  test('hours of an invite have a range', async () => {
    expect((await invite({ hours: 0 })).fields?.map(({ path }) => path)).toEqual([['hours']]);
  });
});

describe('bootstrap', () => {
  test('a sign-in link works once, makes an ADMIN, and is not the first account', async () => {
    const link = `gjms_${'a'.repeat(43)}`;
    const fresh = { ...(await bench.install()), GJM_BOOTSTRAP_SIGN_IN_TOKEN: link };
    const [address = url] = await bench.startMany(1, fresh);
    expect((await redeem(address, 'gjms_unknown')).code).toBe('BAD_CREDENTIALS');
    const answers = await Promise.all([redeem(address, link), redeem(address, link)]);
    expect(answers.map(kindOf).sort()).toEqual(['SignInSuccess', 'UnauthenticatedProblem']);
    expect(answers.find(({ viewer }) => viewer)?.viewer).toMatchObject({
      email: 'admin@localhost',
      role: 'ADMIN',
    });
    expect((await signUp(address)).role).toBe('ADMIN');
    expect((await login(address, { email: 'admin@localhost', password: '' })).code).toBe('BAD_CREDENTIALS');
    await bench.startMany(1, fresh);
    expect((await redeem(address, link)).code).toBe('BAD_CREDENTIALS');
  });

  test('where nobody can register, one invite is logged that makes an ADMIN', async () => {
    const shut = { ...(await bench.install()), GJM_REGISTRATION: 'closed' };
    const first = await bench.start(shut);
    const again = await bench.start(shut);
    expect(again.output()).not.toContain('"invite":"');
    const invite = /"invite":"(gjmi_[\w-]+)"/.exec(first.output())?.[1];
    expect((await signUp(first.address, { invite })).role).toBe('ADMIN');
    expect((await register(first.address, { invite })).code).toBe('FORBIDDEN');
  });
});
