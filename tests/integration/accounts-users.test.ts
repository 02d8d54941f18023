import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { ask, post, problemFields } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { login, password, refresh, signUp, viewerOf, type SignedIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

let bench: ServerBench;
let url: string;
let second: string;
let admin: SignedIn;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  [url, second] = (await bench.startMany(2, await bench.install())) as [string, string];
  admin = await signUp(url, { name: 'Root' });
});
afterAll(() => bench.close());

interface Account {
  id: string;
  email: string;
  role: string;
  disabled: boolean;
  hasPassword: boolean;
  createdAt: string;
  lastSeenAt: string | null;
}
interface Page {
  nodes: Account[];
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const fields = 'id email role disabled hasPassword createdAt lastSeenAt';
const list = (token: string, variables: object = {}) =>
  post<{ users: Page }>(
    url,
    `query ($first: Int, $after: String, $text: String) { users(first: $first, after: $after, text: $text) {
      nodes { ${fields} } edges { cursor } pageInfo { hasNextPage endCursor } } }`,
    { variables, token },
  );
const update = (token: string, input: object) =>
  ask<{ user: Account }>(
    url,
    `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { ${problemFields}
      ... on UpdateUserSuccess { user { ${fields} } } } }`,
    { variables: { input }, token },
  );
const codeOf = ({ __typename, code }: { __typename: string; code?: string }) => code ?? __typename;

/** A socket that is signed in; `closed` settles with the code it is closed with. */
async function openSocket(address: string, token: string): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
    );
    socket.once('message', () => resolve());
  });
  return { closed };
}

describe('the list of users', () => {
  test('holds everybody for an ADMIN, newest first, page by page, and is narrowed by text', async () => {
    const people = [await signUp(url), await signUp(url), await signUp(url, { name: '100%_sure' })];
    const first = (await list(admin.token, { first: 2 })).data!.users;
    expect(first.nodes.map(({ id }) => id)).toEqual([people[2]!.id, people[1]!.id]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = (await list(admin.token, { after: first.pageInfo.endCursor })).data!.users;
    expect(rest.nodes.map(({ id }) => id)).toContain(people[0]!.id);
    expect(rest.nodes.at(-1)).toMatchObject({
      id: admin.id,
      role: 'ADMIN',
      disabled: false,
      hasPassword: true,
    });
    expect(rest.pageInfo.hasNextPage).toBe(false);
    for (const text of ['0%_s', people[2]!.email.toUpperCase(), people[2]!.id])
      expect((await list(admin.token, { text })).data?.users.nodes.map(({ id }) => id)).toEqual([
        people[2]!.id,
      ]);
  });

  test('tells when somebody was last seen', async () => {
    const { refreshToken, email } = await signUp(url);
    const look = async () => (await list(admin.token, { text: email })).data!.users.nodes[0]!;
    const { createdAt, lastSeenAt } = await look();
    expect(Date.parse(lastSeenAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt));
    await refresh(url, refreshToken);
    expect(Date.parse((await look()).lastSeenAt!)).toBeGreaterThan(Date.parse(lastSeenAt!));
  });

  test('holds a USER only themselves', async () => {
    const { token, id } = await signUp(url);
    expect((await list(token)).data?.users.nodes.map((user) => user.id)).toEqual([id]);
    expect((await list(token, { text: admin.email })).data?.users.nodes).toEqual([]);
  });

  test('refuses a page that can not be', async () => {
    const cursor = (await list(admin.token, { first: 1, text: 'example' })).data!.users.edges[0]!.cursor;
    for (const variables of [{ first: 0 }, { first: 101 }, { after: 'x' }, { after: cursor }])
      expect((await list(admin.token, variables)).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('an ADMIN', () => {
  test('disables a user: sessions and sockets end at once on every server, until enabled again', async () => {
    const person = await signUp(url);
    const [here, there] = [await openSocket(url, person.token), await openSocket(second, person.token)];
    expect((await update(admin.token, { id: person.id, disabled: true })).user).toMatchObject({
      disabled: true,
    });
    expect(await Promise.all([here.closed, there.closed])).toEqual([4403, 4403]);
    expect(await viewerOf(url, person.token)).toBeNull();
    await until('the other server knows', async () => (await viewerOf(second, person.token)) === null);
    expect((await login(url, { email: person.email, password })).code).toBe('BAD_CREDENTIALS');
    await update(admin.token, { id: person.id, disabled: false });
    expect(codeOf(await login(url, { email: person.email, password }))).toBe('SignInSuccess');
    expect((await refresh(url, person.refreshToken)).code).toBe('UNAUTHENTICATED');
  });

  test('makes another ADMIN, who may then do the same; who is one no more loses their sessions', async () => {
    const person = await signUp(url);
    await update(admin.token, { id: person.id, role: 'ADMIN' });
    await until(
      'they may',
      async () => codeOf(await update(person.token, { id: person.id })) !== 'FORBIDDEN',
    );
    expect(await viewerOf(url, person.token)).not.toBeNull();
    await update(admin.token, { id: person.id, role: 'USER' });
    expect(await viewerOf(url, person.token)).toBeNull();
  });

  test('who is the last active one stays, whatever is tried at once', async () => {
    const other = await signUp(url);
    expect(codeOf(await update(admin.token, { id: admin.id, disabled: true }))).toBe('LAST_ADMIN');
    await update(admin.token, { id: other.id, role: 'ADMIN', disabled: true });
    expect(codeOf(await update(admin.token, { id: admin.id, role: 'USER' }))).toBe('LAST_ADMIN');
    await update(admin.token, { id: other.id, disabled: false });
    const both = [other.id, admin.id].map((id) => update(admin.token, { id, role: 'USER' }));
    const codes = (await Promise.all(both)).map(codeOf);
    expect(codes.filter((code) => code === 'UpdateUserSuccess')).toHaveLength(1);
    expect(codes).not.toContain('INTERNAL');
  });
});

test('a USER changes nobody, and is told the same of every id', async () => {
  const { token, id } = await signUp(url);
  for (const user of [id, admin.id, 'x'])
    expect(codeOf(await update(token, { id: user, role: 'ADMIN' }))).toBe('FORBIDDEN');
});
