/** What a GraphQL endpoint answers, as it is on the wire. */
export interface Answer<Data> {
  status: number;
  headers: Headers;
  data: Data | null;
  errors:
    | { message: string; path?: (string | number)[]; extensions: { code: string; requestId: string } }[]
    | undefined;
  /** The body as text. */
  text: string;
}

export interface PostOptions {
  variables?: object;
  token?: string;
  headers?: Record<string, string>;
}

/** Sends one GraphQL operation by POST. `Data` is what the test expects: nothing checks it. */
export async function post<Data = Record<string, unknown>>(
  url: string,
  query: string,
  { variables, token, headers }: PostOptions = {},
): Promise<Answer<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data = null, errors } = JSON.parse(text) as Partial<Answer<Data>>;
  return { status: response.status, headers: response.headers, data, errors, text };
}

/** A member of a result union: a refusal, or what a success has. */
export type Member<Success = object> = {
  __typename: string;
  code?: string;
  message?: string;
  fields?: { path: string[]; message: string }[];
  retryAfterMs?: number;
} & Partial<Success>;

/** What to ask of every refusal. */
export const problemFields = `__typename
  ... on Problem { code message }
  ... on ValidationProblem { fields { path message } }`;

/** Sends an operation of one field and gives that field's value; fails when there is none. */
export async function ask<Success = object>(
  url: string,
  query: string,
  options: PostOptions = {},
): Promise<Member<Success>> {
  const answer = await post<Record<string, Member<Success> | null>>(url, query, options);
  const [member] = Object.values(answer.data ?? {});
  if (!member) throw new Error(`There was no answer: ${answer.text}`);
  return member;
}
