/** What a GraphQL endpoint answers, as it is on the wire. */
export interface Answer {
  status: number;
  headers: Headers;
  data: Record<string, any> | null;
  errors:
    | { message: string; path?: (string | number)[]; extensions: { code: string; requestId: string } }[]
    | undefined;
  /** The body as text. */
  text: string;
}

/** Sends one GraphQL operation by POST. A body given as text is sent as it is. */
export async function post(
  url: string,
  query: string,
  options: { variables?: object; token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    body: JSON.stringify({ query, variables: options.variables }),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as Pick<Answer, 'data' | 'errors'>;
  return { status: response.status, headers: response.headers, data: data ?? null, errors, text };
}

export interface SignedIn {
  id: string;
  email: string;
  role: string;
  token: string;
  refreshToken: string;
}

const fields = `__typename
  ... on SignInSuccess { viewer { id email name role } accessToken expiresAt refreshToken }
  ... on Problem { code message }
  ... on ValidationProblem { fields { path message } }
  ... on RateLimitedProblem { retryAfterMs }`;

export const registerMutation = `mutation ($input: RegisterInput!) { register(input: $input) { ${fields} } }`;
export const loginMutation = `mutation ($input: LoginInput!) { login(input: $input) { ${fields} } }`;
export const refreshMutation = `mutation ($token: String) { refresh(token: $token) { ${fields} } }`;
export const redeemMutation = `mutation ($token: String!) { redeemSignInLink(token: $token) { ${fields} } }`;

let made = 0;

/** An e-mail nobody has yet. */
export const freshEmail = (): string => `person-${process.pid}-${++made}@example.com`;

/** Registers a fresh account and gives what a client needs of it. */
export async function signUp(url: string, input: object = {}): Promise<SignedIn> {
  const email = freshEmail();
  const variables = { input: { email, password: 'correct horse', returnRefreshToken: true, ...input } };
  const answer = await post(url, registerMutation, { variables });
  const success = answer.data?.['register'];
  if (success?.__typename !== 'SignInSuccess') throw new Error(`Nobody was registered: ${answer.text}`);
  const { viewer, accessToken, refreshToken } = success;
  return { id: viewer.id, email: viewer.email, role: viewer.role, token: accessToken, refreshToken };
}

/** The viewer a token stands for; null for a token that is not good. */
export async function viewerOf(
  url: string,
  token: string,
): Promise<{ id: string; email: string; role: string } | null> {
  return (await post(url, '{ viewer { id email role } }', { token })).data?.['viewer'] ?? null;
}
