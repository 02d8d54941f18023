import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ask, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { login, password, redeem, refresh, signUp, viewerOf, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let url: string;
let second: string;
let database: pg.Client;
let admin: SignedIn;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env: Record<string, string> = { ...(await bench.install()), GJM_LOGIN_FAILURES: '5' };
  [url, second] = (await bench.startMany(2, env)) as [string, string];
  database = new pg.Client(env['DATABASE_URL']);
  await database.connect();
  admin = await signUp(url);
});

afterAll(async () => {
  await database.end();
  await bench.close();
});

const fresh = 'battery staple';
/** Of `password`, by 8 MiB and one pass. */
const weakHash =
  '$argon2id$v=19$m=8192,t=1,p=1$R57aFgvjlpXUt/I+hi8pXg$CJWay9cY8vs5KJPa4kwuKFX2UHqLIZ93YxI1TK+EpTQ';

interface Tokens {
  accessToken: string;
  refreshToken: string;
}
const change = (token: string, input: object) =>
  ask<Tokens>(
    url,
    `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { ${problemFields}
      ... on SignInSuccess { accessToken refreshToken } ... on RateLimitedProblem { retryAfterMs } } }`,
    { variables: { input: { returnRefreshToken: true, ...input } }, token },
  );
const reset = (token: string, userId: string) =>
  ask<{ token: string; expiresAt: string }>(
    url,
    `mutation ($id: ID!) { resetPassword(userId: $id) { ${problemFields}
      ... on ResetPasswordSuccess { token expiresAt } } }`,
    { variables: { id: userId }, token },
  );
const hasPassword = async (token: string) =>
  (await ask<{ hasPassword: boolean }>(url, '{ viewer { __typename hasPassword } }', { token })).hasPassword;
const codeOf = ({ __typename, code }: { __typename: string; code?: string }) => code ?? __typename;

describe('a password', () => {
  test('is changed by who knows it: other sessions end, this one goes on with fresh tokens', async () => {
    const person = await signUp(url);
    const other = await login(url, { email: person.email, password, returnRefreshToken: true });
    expect(await viewerOf(second, other.accessToken ?? '')).not.toBeNull();
    const changed = await change(person.token, { current: password, new: fresh });
    expect(codeOf(changed)).toBe('SignInSuccess');
    expect(await viewerOf(url, changed.accessToken ?? '')).toEqual({ id: person.id });
    expect(codeOf(await refresh(url, changed.refreshToken ?? null))).toBe('SignInSuccess');
    await until('the other one has ended', async () =>
      (await viewerOf(second, other.accessToken ?? '')) === null ? true : null,
    );
    expect((await refresh(url, other.refreshToken ?? null)).code).toBe('UNAUTHENTICATED');
    expect((await login(url, { email: person.email, password })).code).toBe('BAD_CREDENTIALS');
    expect(codeOf(await login(url, { email: person.email, password: fresh }))).toBe('SignInSuccess');
  });

  test('that is changed makes this session’s earlier refresh token useless', async () => {
    const person = await signUp(url);
    await change(person.token, { current: password, new: fresh });
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });

  test('is not changed by a wrong, a missing or a bad one, and the path of the field is told', async () => {
    const person = await signUp(url);
    expect(codeOf(await change(person.token, { current: 'wrong', new: fresh }))).toBe('BAD_CREDENTIALS');
    expect((await change(person.token, { new: fresh })).fields).toEqual([
      { path: ['current'], message: 'is needed' },
    ]);
    expect((await change(person.token, { current: password, new: 'short' })).fields?.[0]?.path).toEqual([
      'new',
    ]);
    expect(codeOf(await login(url, { email: person.email, password }))).toBe('SignInSuccess');
  });

  test('is guessed as seldom here as at the door, and both count together', async () => {
    const person = await signUp(url);
    const tries = Array.from({ length: 6 }, () => change(person.token, { current: 'wrong', new: fresh }));
    const codes = (await Promise.all(tries)).map(codeOf).sort();
    expect(codes).toEqual([...Array<string>(5).fill('BAD_CREDENTIALS'), 'RATE_LIMITED']);
    expect((await login(url, { email: person.email, password })).code).toBe('RATE_LIMITED');
  });

  test('of two changes at once that knew the same one, one counts', async () => {
    const person = await signUp(url);
    const words = ['first of two', 'second of two'];
    const answers = await Promise.all(
      words.map((word) => change(person.token, { current: password, new: word })),
    );
    expect(answers.map(codeOf).sort()).toEqual(['BAD_CREDENTIALS', 'SignInSuccess']);
    const won = words[answers.findIndex(({ __typename }) => __typename === 'SignInSuccess')];
    expect(codeOf(await login(url, { email: person.email, password: won }))).toBe('SignInSuccess');
  });

  test('with a hash by other parameters is hashed anew at the next sign-in', async () => {
    const person = await signUp(url);
    await database.query('UPDATE users SET password_hash = $2 WHERE id = $1', [person.id, weakHash]);
    expect(codeOf(await login(url, { email: person.email, password }))).toBe('SignInSuccess');
    const { rows } = await database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = $1',
      [person.id],
    );
    expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(codeOf(await login(url, { email: person.email, password }))).toBe('SignInSuccess');
  });
});

describe('a reset', () => {
  test('ends the sessions and the password, and its link lets the user in once to set a new one', async () => {
    const person = await signUp(url);
    const { token = '', expiresAt = '' } = await reset(admin.token, person.id);
    expect(token).toMatch(/^gjms_[\w-]{43}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(86_000_000);
    expect(await viewerOf(url, person.token)).toBeNull();
    expect((await login(url, { email: person.email, password })).code).toBe('BAD_CREDENTIALS');
    const entered = await redeem(url, token);
    expect(entered.viewer?.id).toBe(person.id);
    expect((await redeem(url, token)).code).toBe('BAD_CREDENTIALS');
    const access = entered.accessToken ?? '';
    expect(await hasPassword(access)).toBe(false);
    expect(codeOf(await change(access, { new: fresh }))).toBe('SignInSuccess');
    expect(await hasPassword(access)).toBe(true);
    expect(codeOf(await login(url, { email: person.email, password: fresh }))).toBe('SignInSuccess');
  });

  test('makes the links before it useless', async () => {
    const person = await signUp(url);
    const [first, next] = [await reset(admin.token, person.id), await reset(admin.token, person.id)];
    expect((await redeem(url, first.token ?? '')).code).toBe('BAD_CREDENTIALS');
    expect((await redeem(url, next.token ?? '')).viewer?.id).toBe(person.id);
  });

  test('that ran out, or whose user is disabled, lets nobody in', async () => {
    const [late, shut] = [await signUp(url), await signUp(url)];
    const [old, closed] = [await reset(admin.token, late.id), await reset(admin.token, shut.id)];
    await database.query('UPDATE one_time_tokens SET expires_at = now() WHERE user_id = $1', [late.id]);
    await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [shut.id]);
    expect((await redeem(url, old.token ?? '')).code).toBe('BAD_CREDENTIALS');
    expect((await redeem(url, closed.token ?? '')).code).toBe('BAD_CREDENTIALS');
  });

  test('is for an ADMIN, for a user that there is, and not for oneself', async () => {
    const person = await signUp(url);
    const unknown = `${person.id.slice(0, 4)}0${'7'.repeat(25)}`;
    expect(codeOf(await reset(person.token, admin.id))).toBe('FORBIDDEN');
    expect(codeOf(await reset(admin.token, unknown))).toBe('NOT_FOUND');
    expect(codeOf(await reset(admin.token, 'x'))).toBe('NOT_FOUND');
    expect((await reset(admin.token, admin.id)).fields?.[0]?.path).toEqual(['userId']);
    expect(await viewerOf(url, admin.token)).not.toBeNull();
  });

  test('of everybody does not make the next who registers an ADMIN', async () => {
    await database.query('UPDATE users SET password_hash = NULL');
    expect((await signUp(url)).role).toBe('USER');
  });
});
