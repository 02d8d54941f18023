import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { getNamedType, getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { post, type Answer } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { firstAnswer } from './live.js';
import { documentOf, idDoors, schema, withId, type IdDoor } from './schema-walk.js';
import { errorsLoggedFor, innerWords } from './server-log.js';

const { url } = sharedStack();
const requestId = `malformed-${randomBytes(6).toString('hex')}`;
let person: SignedIn;

beforeAll(async () => {
  person = await signUp(url);
});

afterAll(async () => {
  expect(await errorsLoggedFor(requestId)).toEqual([]);
});

const good = `job_0${'1'.repeat(25)}`;
const badIds: [what: string, id: string][] = [
  ['a word', 'abc'],
  ['nothing', ''],
  ['one letter short', good.slice(0, -1)],
  ['one letter long', `${good}0`],
  ['braces', `{${good}}`],
  ['capitals', good.toUpperCase()],
  ['ten kilobytes', 'x'.repeat(10_000)],
  ['SQL', `' OR 1=1 --`],
  ['NUL', `job_\0${good.slice(5)}`],
  ['half a letter', `job_\ud800`],
  ['a line break', `${good}\n`],
  ['a path', '../../etc/passwd'],
  ['other digits', `job_0${'१'.repeat(25)}`],
];

const bases: Record<string, Record<string, unknown>> = {
  'Mutation.submitJob(input.dependsOn.*)': { input: { kind: 'diagnostic', params: {} } },
};

async function knock(door: IdDoor, id: string): Promise<string> {
  const variables = withId(bases[door.name] ?? {}, door.path, id);
  const query = documentOf(door.operation, door.field);
  const answer: Pick<Answer<unknown>, 'data' | 'errors'> = door.operation === 'subscription'
    ? await firstAnswer(url, person.token, query, variables)
    : await post(url, query, { variables, token: person.token, headers: { 'x-request-id': requestId } });
  return JSON.stringify({ data: answer.data, errors: answer.errors });
}

/** What the contract says each door answers to an id that is none. */
const contract: Record<string, RegExp> = {
  'Query.node(id)': /^\{"data":\{"node":null\}\}$/,
  'Query.job(id)': /^\{"data":\{"job":null\}\}$/,
  'Query.jobs(filter.owner)': /^\{"data":\{"jobs":.*"nodes":\[\]/,
  'Mutation.cancelJob(input.id)': /^\{"data":\{"cancelJob":\{"__typename":"NotFoundProblem"/,
  'Mutation.deleteJob(input.id)': /^\{"data":\{"deleteJob":\{"__typename":"NotFoundProblem"/,
  'Mutation.submitJob(input.dependsOn.*)': /^\{"data":\{"submitJob":\{"__typename":"ValidationProblem"/,
  'Mutation.updateUser(input.id)': /^\{"data":\{"updateUser":\{"__typename":"ForbiddenProblem"/,
  'Mutation.drain(input.id)': /^\{"data":\{"drain":\{"__typename":"ForbiddenProblem"/,
  'Mutation.undrain(id)': /^\{"data":\{"undrain":\{"__typename":"ForbiddenProblem"/,
  'Mutation.resetPassword(userId)': /^\{"data":\{"resetPassword":\{"__typename":"ForbiddenProblem"/,
  'Subscription.jobEvents(jobId)': /"code":"NOT_FOUND"/,
  'Subscription.jobsChanged(filter.owner)': /^\{"data":"quiet"\}$/,
};

describe('an id that is none', () => {
  test.each(idDoors)('gets at $name what the contract says', async (door) => {
    const answers = await Promise.all(
      badIds.map(async ([what, id]) => ({ what, text: await knock(door, id) })),
    );
    for (const { what, text } of answers) {
      expect([what, text]).toEqual([what, expect.stringMatching(contract[door.name] ?? /never/)]);
      expect(text).not.toMatch(innerWords);
    }
  });
});

/** Root fields with arguments, and arguments with which each does something. */
const calls: Record<string, Record<string, unknown>> = {
  'Query.jobs': { filter: {} },
  'Query.node': { id: good },
  'Query.job': { id: good },
  'Mutation.register': { input: { email: 'x', password: 'long enough' } },
  'Mutation.login': { input: { email: 'x@y.example', password: 'x' } },
  'Mutation.refresh': {},
  'Mutation.redeemSignInLink': { token: 'x' },
  'Mutation.changePassword': { input: { current: 'not the one', new: 'long enough' } },
  'Query.users': {},
  'Mutation.createInvite': { input: {} },
  'Mutation.createWorkerToken': { input: { name: 'x' } },
  'Mutation.createUpload': { input: { name: 'x' } },
  'Mutation.submitJob': { input: { kind: 'diagnostic', params: {}, deviceSelector: { worker: 'none' } } },
  'Mutation.cancelJob': { input: { id: good } },
  'Mutation.deleteJob': { input: { id: good } },
  'Mutation.drain': { input: { id: good } },
};

/** Every place for text below an argument; JSON counts as text within. */
function textPaths(
  name: string,
  type: GraphQLInputType,
  path: string[],
): { path: string[]; isJson: boolean }[] {
  const bare = getNullableType(type);
  if (isListType(bare)) return textPaths(name, bare.ofType, [...path, '*']);
  if (isInputObjectType(bare))
    return Object.values(bare.getFields()).flatMap((field) =>
      textPaths(field.name, field.type, [...path, field.name]),
    );
  const isJson = getNamedType(bare).name === 'JSONObject';
  return isJson || getNamedType(bare).name === 'String' ? [{ path, isJson }] : [];
}

const textDoors = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap((field) =>
    field.args.flatMap((arg) =>
      textPaths(arg.name, arg.type, [arg.name]).map((place) => ({
        ...place,
        name: `${root?.name}.${field.name}`,
        door: `${root?.name}.${field.name}(${place.path.join('.')})`,
        operation: root?.name.toLowerCase() ?? '',
        field,
      })),
    ),
  ),
);

const oddTexts = [
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  'x'.repeat(70_000),
  '%00',
  '\u202e',
  `'; DROP TABLE jobs; --`,
  'image/png; \0',
];

describe('odd text', () => {
  test('has a place for every root field that takes text', () => {
    expect(textDoors.filter(({ name }) => !calls[name])).toEqual([]);
  });

  test.each(textDoors)(
    'at $door is stored, refused or found nowhere, and is no fault',
    async ({ name, operation, field, path, isJson }) => {
      for (const odd of oddTexts) {
        const values = isJson ? [{ [odd]: 'x' }, { key: odd }, { key: [{ [odd]: odd }] }] : [odd];
        for (const value of values) {
          const { text, errors } = await post(url, documentOf(operation, field), {
            variables: withId(calls[name] ?? {}, path, value),
            token: person.token,
            headers: { 'x-request-id': requestId },
          });
          expect([odd.slice(0, 20), errors?.map(({ extensions }) => extensions.code) ?? []]).toEqual([
            odd.slice(0, 20),
            errors ? ['BAD_USER_INPUT'] : [],
          ]);
          expect(text).not.toMatch(innerWords);
        }
      }
    },
  );
});

describe('nesting without end', () => {
  const deep = (levels: number, open: string, close: string) =>
    `${open.repeat(levels)}1${close.repeat(levels)}`;

  test.each([
    ['lists', deep(50_000, '[', ']')],
    ['objects', deep(20_000, '{"a":', '}')],
  ])('of %s in JSON is one refusal', async (_what, json) => {
    for (const place of ['params', 'labels', 'deviceSelector']) {
      const params = place === 'params' ? '' : 'params: {}, ';
      const query = `mutation ($x: JSONObject!) { submitJob(input: { kind: "diagnostic", ${params}${place}: $x }) { __typename } }`;
      const body = `{"query":${JSON.stringify(query)},"variables":{"x":{"a":${json}}}}`;
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${person.token}`,
          'x-request-id': requestId,
        },
        body,
      });
      expect(await response.text()).toContain('BAD_USER_INPUT');
    }
  });

  test('in a cursor is one refusal, as is every cursor that was made up', async () => {
    const forged = [
      deep(20_000, '[', ']'),
      '[1,"CREATED_AT","DESC","x","2026-01-01T00:00:00.000Z","a\\u0000"]',
      '[1,"CREATED_AT","DESC","x","0000-01-01T00:00:00.000Z","x"]',
      '{}',
      'null',
      '',
    ].map((text) => Buffer.from(text).toString('base64url'));
    for (const after of [...forged, '\0', 'x'.repeat(50_000), '=', '%']) {
      const { errors } = await post(url, 'query ($after: String) { jobs(after: $after) { nodes { id } } }', {
        variables: { after },
        token: person.token,
        headers: { 'x-request-id': requestId },
      });
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  test('no change of a true cursor gets beyond a refusal', async () => {
    const ask = (after: string | null) =>
      post<{ jobs: { pageInfo: { endCursor: string | null } } }>(
        url,
        'query ($after: String) { jobs(after: $after, first: 1) { pageInfo { endCursor } } }',
        { variables: { after }, token: person.token, headers: { 'x-request-id': requestId } },
      );
    await post(url, documentOf('mutation', schema.getMutationType()!.getFields()['submitJob']!), {
      variables: calls['Mutation.submitJob'] as object,
      token: person.token,
    });
    const cursor = (await ask(null)).data?.jobs.pageInfo.endCursor ?? '';
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const odd = [
      null,
      1e308,
      -1,
      '',
      '\0',
      'infinity',
      '0000-01-01T00:00:00.000Z',
      '2026-01-01T1Z',
      '9999-99-99T99:99:99.999Z',
      {},
      [],
    ];
    for (let at = 0; at < parts.length; at++)
      for (const value of odd) {
        const changed = Buffer.from(JSON.stringify(parts.with(at, value))).toString('base64url');
        const { errors } = await ask(changed);
        expect(errors?.map(({ extensions }) => extensions.code) ?? []).toEqual(
          errors ? ['BAD_USER_INPUT'] : [],
        );
      }
    expect((await ask(cursor)).errors).toBeUndefined();
  });
});
