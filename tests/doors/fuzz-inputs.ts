import { Dice, nouns, oddId, oddJson, oddNumbers, oddText, type Json } from './fuzz-values.js';

/** One bad request, ready to be sent. Bodies are text or bytes as they go over the wire. */
export interface FuzzInput {
  /** What it is about, for a failure's message. */
  what: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A part of a JSON Schema, as `JobKind.paramsSchema` gives it. */
interface ParamsSchema {
  properties?: Record<string, Property>;
}
interface Property {
  type?: string;
  minimum?: number;
  maximum?: number;
  enum?: Json[];
  anyOf?: Property[];
  const?: Json;
}
export interface FuzzKind {
  name: string;
  paramsSchema: ParamsSchema;
}

/** A value that the schema allows, or one just beyond its border. */
function valueFor(dice: Dice, property: Property): Json {
  if (property.anyOf) return valueFor(dice, dice.pick(property.anyOf));
  if (property.const !== undefined) return property.const;
  if (property.enum) return dice.pick(property.enum);
  const { minimum = 0, maximum = 100 } = property;
  if (property.type === 'integer' || property.type === 'number')
    return dice.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5, dice.pick(oddNumbers)]);
  if (property.type === 'boolean') return dice.isLucky(0.5);
  return dice.isLucky(0.5) ? oddId(dice) : oddText(dice);
}

/** Params of a kind from its own schema, with one or two things wrong. They never make a job that would run: see `selector`. */
function oddParams(dice: Dice, kinds: readonly FuzzKind[]): { kind: string; params: Json } {
  const { name, paramsSchema } = dice.pick(kinds);
  const params: Record<string, Json> = {};
  for (const [field, property] of Object.entries(paramsSchema.properties ?? {}))
    if (dice.isLucky(0.5)) params[field] = dice.isLucky(0.3) ? oddJson(dice) : valueFor(dice, property);
  if (dice.isLucky(0.2)) params[oddText(dice)] = oddJson(dice);
  return { kind: dice.isLucky(0.05) ? oddText(dice) : name, params };
}

/** No worker has this name: whatever is accepted waits for ever and costs nothing. */
const selector = { worker: 'no worker has this name' };

const operations: [
  what: string,
  query: string,
  variables: (dice: Dice, kinds: readonly FuzzKind[]) => Json,
][] = [
  [
    'submitJob',
    'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { __typename ... on Problem { code message } ... on ValidationProblem { fields { path message } } } }',
    (dice, kinds) => {
      const input: Record<string, Json> = { ...oddParams(dice, kinds), deviceSelector: selector };
      const extra = [
        'name',
        'labels',
        'priority',
        'tier',
        'clientRequestId',
        'maxAttempts',
        'timeoutSeconds',
        'devices',
        'dependsOn',
      ];
      for (const field of extra) if (dice.isLucky(0.15)) input[field] = oddJson(dice);
      return { input };
    },
  ],
  ['job', 'query ($id: ID!) { job(id: $id) { id params labels } }', (dice) => ({ id: oddId(dice) })],
  ['node', 'query ($id: ID!) { node(id: $id) { __typename id } }', (dice) => ({ id: oddId(dice) })],
  [
    'cancelJob',
    'mutation ($input: CancelJobInput!) { cancelJob(input: $input) { __typename } }',
    (dice) => ({ input: { id: oddId(dice), reason: oddText(dice) } }),
  ],
  [
    'deleteJob',
    'mutation ($input: DeleteJobInput!) { deleteJob(input: $input) { __typename } }',
    (dice) => ({ input: { id: oddId(dice) } }),
  ],
  [
    'createUpload',
    'mutation ($input: CreateUploadInput!) { createUpload(input: $input) { __typename } }',
    (dice) => ({
      input: {
        name: oddText(dice),
        bytes: dice.pick(oddNumbers),
        mediaType: oddText(dice),
        sha256: oddText(dice),
      },
    }),
  ],
  [
    'jobs',
    'query ($filter: JobFilter, $first: Int, $after: String, $last: Int, $before: String) { jobs(filter: $filter, first: $first, after: $after, last: $last, before: $before) { totalCount nodes { id events(first: 2) { lastSequence } } pageInfo { endCursor } } }',
    (dice) => ({
      filter: dice.isLucky(0.5)
        ? {
            text: oddText(dice),
            kind: [oddText(dice)],
            owner: oddId(dice),
            labels: { [oddText(dice)]: oddText(dice) },
          }
        : null,
      first: dice.isLucky(0.7) ? dice.pick([1, 2, 100]) : dice.pick(oddNumbers),
      after: dice.isLucky(0.5) ? oddCursor(dice) : null,
      ...(dice.isLucky(0.2) ? { last: dice.pick(oddNumbers), before: oddCursor(dice) } : {}),
    }),
  ],
  [
    'users',
    'query ($first: Int, $after: String, $text: String) { users(first: $first, after: $after, text: $text) { nodes { id } pageInfo { endCursor } } }',
    (dice) => ({
      first: dice.isLucky(0.7) ? dice.pick([1, 2, 100]) : dice.pick(oddNumbers),
      after: dice.isLucky(0.5) ? oddCursor(dice) : null,
      text: oddText(dice),
    }),
  ],
  [
    'updateUser',
    'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { __typename } }',
    (dice) => ({ input: { id: oddId(dice), role: oddText(dice), disabled: oddJson(dice) } }),
  ],
  [
    'resetPassword',
    'mutation ($id: ID!) { resetPassword(userId: $id) { __typename } }',
    (dice) => ({ id: oddId(dice) }),
  ],
  [
    'changePassword',
    'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { __typename } }',
    (dice) => ({ input: { current: 'x'.repeat(201), new: oddText(dice) } }),
  ],
  [
    'login',
    'mutation ($input: LoginInput!) { login(input: $input) { __typename } }',
    (dice) => ({ input: { email: oddText(dice), password: 'x'.repeat(201) } }),
  ],
  [
    'refresh',
    'mutation ($token: String) { refresh(token: $token) { __typename } }',
    (dice) => ({ token: oddText(dice) }),
  ],
];

const oddCursor = (dice: Dice): string =>
  dice.isLucky(0.4)
    ? oddText(dice)
    : Buffer.from(
        JSON.stringify([
          1,
          dice.pick(['CREATED_AT', 'PRIORITY', 'x']),
          dice.pick(['ASC', 'DESC']),
          oddText(dice),
          oddJson(dice),
          oddId(dice),
        ]),
      ).toString('base64url');

const json = { 'content-type': 'application/json' };
const post = (what: string, body: string, headers: Record<string, string> = json): FuzzInput => ({
  what,
  method: 'POST',
  path: '/graphql',
  headers,
  body,
});

function oddOperation(dice: Dice, kinds: readonly FuzzKind[]): FuzzInput {
  const [what, query, variables] = dice.pick(operations);
  const values = dice.isLucky(0.1) ? oddJson(dice) : variables(dice, kinds);
  return post(what, JSON.stringify({ query, variables: values }));
}

/** A good body that was cut, doubled or had some characters exchanged. */
function oddBody(dice: Dice, kinds: readonly FuzzKind[]): FuzzInput {
  let text = oddOperation(dice, kinds).body ?? '';
  for (let i = 0; i <= dice.below(4); i++) {
    const at = dice.below(text.length);
    text = dice.pick([
      () => text.slice(0, at),
      () => text.slice(at),
      () =>
        text.slice(0, at) +
        dice.pick(['"', '{', '}', '[', ',', ':', '\\', '\0', 'é', '1e999', '$', '@', '...']) +
        text.slice(at + 1),
      () => text + text,
      () => `[${text}]`,
    ])();
  }
  return post('body', text);
}

function oddDocument(dice: Dice): FuzzInput {
  const words = [
    'query',
    'mutation',
    'subscription',
    'fragment',
    'on',
    'Job',
    '{',
    '}',
    '(',
    ')',
    '$x',
    ':',
    'ID!',
    '...',
    '@include(if: true)',
    '"',
    '"""',
    'jobs',
    'id',
    'node',
    '__schema',
    '__type(name: "Job")',
    'login',
    '#',
    '\n',
    '1',
    'null',
    '[',
    ']',
    '!',
    '&',
    '\\u0000',
  ];
  const text = Array.from({ length: dice.below(40) }, () => dice.pick(words)).join(' ');
  return post(
    'document',
    JSON.stringify({ query: text, operationName: dice.isLucky(0.2) ? oddText(dice) : null }),
  );
}

/** What a page of another site could send without asking first: none of it may change anything. */
function oddForm(dice: Dice): FuzzInput {
  const query = 'mutation { createUpload(input: { name: \\"from a form\\" }) { __typename } }';
  const type = dice.pick([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    'application/json; charset=x',
    'text/plain;application/json',
    'application/graphql',
  ]);
  const body = dice.pick([
    `{"query":"${query}"}`,
    `query=${encodeURIComponent(query)}`,
    `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"${query}"}\r\n--x--`,
    query,
  ]);
  return post('form', body, { ...(type ? { 'content-type': type } : {}), origin: 'http://evil.example' });
}

function oddAddress(dice: Dice): FuzzInput {
  const path = dice.pick([
    () =>
      `/graphql?query=${encodeURIComponent('mutation { createUpload(input: { name: "from a link" }) { __typename } }')}`,
    () =>
      `/graphql?query=${encodeURIComponent(oddText(dice).toWellFormed())}&variables=${encodeURIComponent(oddText(dice).toWellFormed())}`,
    () =>
      `/files/${dice.pick(['uploads', 'artifacts', 'x'])}/${encodeURIComponent(oddId(dice).toWellFormed())}?by=${dice.pick(nouns)}&exp=${dice.pick(oddNumbers)}&sig=${encodeURIComponent(oddText(dice).toWellFormed())}`,
    () => `/worker/v1/${dice.pick(['hello', 'claim', 'report', 'attempts/x/artifacts', '%00'])}`,
    () => `/${encodeURIComponent(oddText(dice).toWellFormed())}`,
    () => `/assets/${dice.pick(['%', '%00', '..%2f..%2f', '%c0%af'])}`,
  ])();
  return {
    what: 'address',
    method: dice.pick(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH']),
    path,
    headers: {},
  };
}

function oddHeaders(dice: Dice, kinds: readonly FuzzKind[]): FuzzInput {
  const plain = (text: string) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim();
  const names = [
    'authorization',
    'cookie',
    'x-request-id',
    'accept',
    'accept-encoding',
    'content-type',
    'x-forwarded-for',
    'x-forwarded-proto',
    'range',
    'if-none-match',
    'origin',
    'apollo-require-preflight',
    'x-apollo-operation-name',
  ];
  const headers: Record<string, string> = { ...json };
  for (let i = 0; i < 3; i++)
    headers[dice.pick(names)] = plain(
      dice.pick([oddText(dice), `Bearer ${oddText(dice)}`, 'Bearer a.b.c', 'gjm_refresh=x; gjm_refresh=%00']),
    );
  return { ...oddOperation(dice, kinds), what: 'headers', headers };
}

/** `count` bad requests from one seed: the same ones each time. */
export function* makeFuzzInputs(
  seed: number,
  count: number,
  kinds: readonly FuzzKind[],
): Generator<FuzzInput> {
  const dice = new Dice(seed);
  const makers = [
    oddOperation,
    oddOperation,
    oddOperation,
    oddBody,
    oddDocument,
    oddForm,
    oddAddress,
    oddHeaders,
  ];
  for (let i = 0; i < count; i++) yield dice.pick(makers)(dice, kinds);
}
