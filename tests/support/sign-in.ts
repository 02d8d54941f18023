import { randomBytes } from 'node:crypto';
import { post, problemFields, type Answer, type Member } from './api.js';

interface SignIn {
  viewer: { id: string; email: string; name: string; role: string };
  accessToken: string;
  expiresAt: string;
  refreshToken: string | null;
}
type SignInMember = Member<SignIn>;

const fields = `${problemFields}
  ... on SignInSuccess { viewer { id email name role } accessToken expiresAt refreshToken }
  ... on RateLimitedProblem { retryAfterMs }`;

type Call = (url: string, variables: object, headers?: Record<string, string>) => Promise<SignInAnswer>;
/** The answer, and the member of its union. */
type SignInAnswer = Answer<Record<string, SignInMember>> & SignInMember;

const call =
  (operation: string, field: string): Call =>
  async (url, variables, headers = {}) => {
    const answer = await post<Record<string, SignInMember>>(url, `mutation ${operation} { ${fields} } }`, {
      variables,
      headers,
    });
    const member = answer.data?.[field];
    if (!member) throw new Error(`${field} gave nothing: ${answer.text}`);
    return { ...answer, ...member };
  };

const callRegister = call('($input: RegisterInput!) { register(input: $input)', 'register');
const callLogin = call('($input: LoginInput!) { login(input: $input)', 'login');
const callRefresh = call('($token: String) { refresh(token: $token)', 'refresh');
const callRedeem = call('($token: String!) { redeemSignInLink(token: $token)', 'redeemSignInLink');

export const password = 'correct horse';

/** An e-mail nobody has yet, whichever file of whichever process asks. */
export const freshEmail = (): string => `person-${randomBytes(9).toString('hex')}@example.com`;

export const register = (url: string, input: object = {}) =>
  callRegister(url, { input: { email: freshEmail(), password, ...input } });
export const login = (url: string, input: object, headers?: Record<string, string>) =>
  callLogin(url, { input }, headers);
/** Without a token the cookie in `headers` is exchanged. */
export const refresh = (url: string, token: string | null, headers?: Record<string, string>) =>
  callRefresh(url, { token }, headers);
export const redeem = (url: string, token: string) => callRedeem(url, { token });

export interface SignedIn {
  id: string;
  email: string;
  role: string;
  token: string;
  refreshToken: string;
}

/** Registers a fresh account and gives what a client needs of it. */
export async function signUp(url: string, input: object = {}): Promise<SignedIn> {
  const { viewer, accessToken, refreshToken, text } = await register(url, {
    returnRefreshToken: true,
    ...input,
  });
  if (!viewer || !accessToken || !refreshToken) throw new Error(`Nobody was registered: ${text}`);
  return { id: viewer.id, email: viewer.email, role: viewer.role, token: accessToken, refreshToken };
}

/** The viewer a token stands for; null for a token that is not good. */
export async function viewerOf(url: string, token: string): Promise<{ id: string } | null> {
  const { data } = await post<{ viewer: { id: string } | null }>(url, '{ viewer { id } }', { token });
  return data?.viewer ?? null;
}
