import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createClient, type NodeClient, type Tokens } from './node.js';
import { refuse, startStub, type Fields, type StubOptions, type StubServer } from './testing/stub-server.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const job = {
  id: 'job_1',
  kind: 'k',
  name: 'n',
  labels: {},
  owner: { id: 'usr_1', name: 'a' },
  status: 'QUEUED',
  priority: 50,
  devices: [],
};
const row = {
  ...job,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSequence: 1,
  permissions: { canCancel: true, canDelete: false },
};
const viewer = { id: 'usr_1', email: 'a@b', name: 'a', role: 'USER' };
const signedIn = (accessToken: string, refreshToken: string | null = null): object => ({
  __typename: 'SignInSuccess',
  viewer,
  accessToken,
  refreshToken,
  expiresAt: '2026-01-01T00:00:00.000Z',
});

async function start(fields: Fields, options: Omit<StubOptions, 'fields'> = {}): Promise<StubServer> {
  const server = await startStub({ fields, ...options });
  closers.push(() => server.stop());
  return server;
}

function connect(
  server: { url: string },
  options: Partial<Parameters<typeof createClient>[0]> = {},
): NodeClient {
  const client = createClient({ url: server.url, ...options });
  closers.push(() => client.close());
  return client;
}

test('a submit whose answer is lost is sent again with the same request id', async () => {
  const ids: unknown[] = [];
  const server = await start({
    submitJob: ({ input }) => {
      ids.push((input as { clientRequestId: string }).clientRequestId);
      return { __typename: 'SubmitJobSuccess', job: row };
    },
  });
  let lost = 2;
  const client = connect(server, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (lost-- > 0) throw new TypeError('the answer was lost');
      return response;
    },
  });
  expect(await client.submit({ kind: 'k', params: {} })).toMatchObject({ __typename: 'SubmitJobSuccess' });
  expect(ids.length).toBe(3);
  expect(new Set(ids).size).toBe(1);
  expect(String(ids[0])).toMatch(/^[0-9a-f]{32}$/);
});

test('a cancel whose answer is lost is not repeated', async () => {
  let calls = 0;
  const client = connect(
    { url: 'http://127.0.0.1:9' },
    {
      fetch: () => {
        calls += 1;
        return Promise.reject(new TypeError('no'));
      },
    },
  );
  await expect(client.cancel('job_1')).rejects.toMatchObject({ name: 'UnreachableError' });
  expect(calls).toBe(1);
});

test('refusals come back as data', async () => {
  const problem = { __typename: 'ConflictProblem', code: 'JOB_TERMINAL', message: 'It has ended.' };
  const client = connect(await start({ cancelJob: () => problem }));
  expect(await client.cancel('job_1')).toEqual(problem);
});

test('"no" and "not there" are told apart from "not reached"', async () => {
  const client = connect(
    await start({
      job: ({ id }) => {
        if (id === 'job_x') throw refuse('FORBIDDEN');
        return null;
      },
    }),
  );
  await expect(client.job('job_x')).rejects.toMatchObject({ name: 'ApiError', code: 'FORBIDDEN' });
  expect(await client.job('job_1')).toBeNull();
  await expect(connect({ url: 'http://127.0.0.1:9' }).viewer()).rejects.toMatchObject({
    name: 'UnreachableError',
  });
});

test('another program at the address is reported at once', async () => {
  const other: Server = createServer((_request, response) => response.end('<html>hello</html>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  closers.push(() => other.close());
  const client = connect({ url: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
  await expect(client.viewer()).rejects.toMatchObject({ name: 'UnreachableError', transient: false });
});

test('requests that are refused together share one renewal', async () => {
  let renewals = 0;
  const tokens: (Tokens | null)[] = [];
  const server = await start(
    { jobKinds: () => [], devices: () => [], refresh: () => (renewals++, signedIn('new', 'next')) },
    { isGood: (authorization) => authorization === 'Bearer new' },
  );
  const client = connect(server, {
    accessToken: 'old',
    refreshToken: 'first',
    onTokens: (got) => tokens.push(got),
  });
  expect(await Promise.all([client.jobKinds(), client.devices(), client.jobKinds()])).toEqual([[], [], []]);
  expect(renewals).toBe(1);
  expect(tokens).toMatchObject([{ accessToken: 'new', refreshToken: 'next' }]);
});

test('a refused renewal ends the session and says so once', async () => {
  const tokens: (Tokens | null)[] = [];
  const refusal = {
    __typename: 'UnauthenticatedProblem',
    code: 'UNAUTHENTICATED',
    message: 'Sign in again.',
  };
  const server = await start({ refresh: () => refusal }, { isGood: () => false });
  const client = connect(server, {
    accessToken: 'old',
    refreshToken: 'first',
    onTokens: (got) => tokens.push(got),
  });
  await expect(client.jobKinds()).rejects.toMatchObject({ name: 'ApiError', code: 'UNAUTHENTICATED' });
  await expect(client.jobKinds()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(tokens).toEqual([null]);
});

test('a sign-in that gives its refresh token as a cookie can be renewed where there is no cookie jar', async () => {
  const asked: unknown[] = [];
  const server = await start(
    {
      redeemSignInLink: () => signedIn('short'),
      jobKinds: () => [],
      refresh: ({ token }) => (asked.push(token), signedIn('new')),
    },
    { isGood: (authorization) => authorization === 'Bearer new' },
  );
  const client = connect(server, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const headers = new Headers(response.headers);
      headers.append('set-cookie', 'gjm_refresh=gjmr_abc; Path=/; HttpOnly; SameSite=Strict');
      return new Response(response.body, { status: response.status, headers });
    },
  });
  await client.redeemSignInLink('once');
  expect(await client.jobKinds()).toEqual([]);
  expect(asked).toEqual(['gjmr_abc']);
});

test('where processes share a sign-in, the refresh token stored last is exchanged, inside the lock', async () => {
  const asked: unknown[] = [];
  let isLocked = false;
  const server = await start(
    { jobKinds: () => [], refresh: ({ token }) => (asked.push(token, isLocked), signedIn('new', 'next')) },
    { isGood: (authorization) => authorization === 'Bearer new' },
  );
  const client = connect(server, {
    accessToken: 'old',
    refreshToken: 'used up by another process',
    exclusively: async (renewal) => {
      isLocked = true;
      return renewal('stored last').finally(() => (isLocked = false));
    },
  });
  expect(await client.jobKinds()).toEqual([]);
  expect(asked).toEqual(['stored last', true]);
});

test('a viewer whose token ran out is still the viewer, by a renewal', async () => {
  let isNew = false;
  const server = await start({
    viewer: () => (isNew ? viewer : null),
    refresh: () => ((isNew = true), signedIn('new')),
  });
  expect(await connect(server).viewer()).toBeNull();
  const client = connect(server, { accessToken: 'old', refreshToken: 'first' });
  expect(await client.viewer()).toMatchObject({ id: 'usr_1' });
});

test('every job is read page by page, and a cursor that stands still ends the loop', async () => {
  const asked: unknown[] = [];
  const server = await start({
    jobs: ({ after }) => {
      asked.push(after);
      const n = after === null ? 1 : 2;
      return {
        nodes: [{ ...row, id: `job_${n}` }],
        pageInfo: { hasNextPage: true, hasPreviousPage: false, endCursor: `c${n}` },
      };
    },
  });
  const seen: string[] = [];
  for await (const { id } of connect(server).eachJob()) seen.push(id);
  expect(asked).toEqual([null, 'c1', 'c2']);
  expect(seen).toEqual(['job_1', 'job_2', 'job_2']);
});

test('changes ask to be read again at each connection, and stop with the session', async () => {
  let good = true;
  const server = await start(
    {
      jobsChanged: async function* () {
        yield { jobsChanged: { job: null, deletedId: 'job_9' } };
        await new Promise(() => undefined);
      },
    },
    { isGood: () => good },
  );
  const seen: string[] = [];
  const watching = (async () => {
    for await (const change of connect(server).watchJobs()) {
      seen.push(change.kind);
      if (change.kind !== 'change') continue;
      if (seen.filter((kind) => kind === 'change').length === 2) good = false;
      server.cut();
    }
  })();
  await expect(watching).rejects.toMatchObject({ name: 'ApiError', code: 'UNAUTHENTICATED' });
  expect(seen).toEqual(['read-again', 'change', 'read-again', 'change']);
});
