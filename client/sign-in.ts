import { authorizedFetch } from './authorized-fetch.js';
import {
  ChangePasswordDocument,
  LoginDocument,
  LogoutDocument,
  RedeemSignInLinkDocument,
  RegisterDocument,
  type ChangePasswordInput,
  type LoginInput,
  type RegisterInput,
  type SignInFragment,
  type TypedDocumentString,
} from './generated/graphql.js';
import { postOperation, type Fetch } from './http.js';
import type { Request } from './request.js';
import type { Session } from './session.js';

/** The ways in and the way out. A success is kept by the session; a refusal is returned as data. */
export interface SignIn {
  register(input: RegisterInput): Promise<SignInFragment>;
  login(input: LoginInput): Promise<SignInFragment>;
  /** Works once; the link that `up` prints carries the token. */
  redeemSignInLink(token: string): Promise<SignInFragment>;
  /** Ends all other sessions of this person; this one goes on with fresh tokens. `current` is null for a first password. */
  changePassword(input: ChangePasswordInput): Promise<SignInFragment>;
  /** Renews now. Needs a refresh token or, in a browser, the cookie. */
  refresh(): Promise<SignInFragment>;
  /** Ends the session on the server and forgets its tokens, also when the server can not be reached. */
  logout(): Promise<void>;
}

export function makeSignIn(
  fetch: Fetch,
  url: string,
  session: Session,
  request: Request,
  closed: AbortSignal,
): SignIn {
  /** Sent without the session's token: whoever signs in is nobody yet, and an old token must not be renewed for it. */
  const enter = async <Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: Variables,
    pick: (result: Result) => SignInFragment,
    send: Fetch = fetch,
  ): Promise<SignInFragment> => {
    const { data, headers } = await postOperation(send, url, document, variables, closed);
    const result = pick(data);
    session.adopt(result, headers);
    return result;
  };
  return {
    register: (input) => enter(RegisterDocument, { input }, (result) => result.register),
    login: (input) => enter(LoginDocument, { input }, (result) => result.login),
    redeemSignInLink: (token) =>
      enter(RedeemSignInLinkDocument, { token }, (result) => result.redeemSignInLink),
    changePassword: (input) =>
      enter(
        ChangePasswordDocument,
        { input },
        (result) => result.changePassword,
        authorizedFetch(fetch, session),
      ),
    refresh: () => session.refresh(),
    logout: async () => {
      try {
        await request(LogoutDocument, {});
      } finally {
        session.forget();
      }
    },
  };
}
