import { UnreachableError } from './errors.js';
import { RefreshDocument, type SignInFragment } from './generated/graphql.js';
import { postOperation, type Fetch } from './http.js';
import { isSuccess } from './result.js';

/** What a caller may want to keep for its next start. Refresh tokens rotate: an older one soon stops working. */
export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601, by the server's clock. */
  expiresAt: string;
}

export interface SessionOptions {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  /** The browser holds the refresh token in a cookie that scripts can not see. */
  refreshByCookie?: boolean | undefined;
  /**
   * Where several processes share one sign-in: runs a renewal while no other process renews, and gives it the refresh token stored last.
   * A token that another process used up a while ago would end the sign-in of both.
   */
  exclusively?: (<T>(renewal: (stored: string | null) => Promise<T>) => Promise<T>) | undefined;
  /** Called with new tokens, and with null when the session ended and can not be renewed. */
  onTokens?: ((tokens: Tokens | null) => void) | undefined;
}

/** Where runtimes without a cookie jar find the refresh token of a sign-in that gave it as a cookie. */
function refreshTokenIn(headers: Headers): string | null {
  for (const cookie of headers.getSetCookie?.() ?? []) {
    const value = /^gjm_refresh=([^;]+)/.exec(cookie)?.[1];
    if (value) return decodeURIComponent(value);
  }
  return null;
}

/** The tokens of one client, and the one place that renews them. */
export class Session {
  #accessToken: string | undefined;
  #refreshToken: string | undefined;
  #byCookie: boolean;
  #renewing: Promise<SignInFragment> | null = null;
  readonly #exclusively: NonNullable<SessionOptions['exclusively']>;
  readonly #onTokens: NonNullable<SessionOptions['onTokens']>;

  constructor(
    private readonly fetch: Fetch,
    private readonly url: string,
    private readonly closed: AbortSignal,
    options: SessionOptions,
  ) {
    this.#accessToken = options.accessToken;
    this.#refreshToken = options.refreshToken;
    this.#byCookie = options.refreshByCookie ?? false;
    this.#exclusively = options.exclusively ?? ((renewal) => renewal(null));
    this.#onTokens = options.onTokens ?? (() => undefined);
  }

  get accessToken(): string | undefined {
    return this.#accessToken;
  }

  get authorization(): string | undefined {
    return this.#accessToken === undefined ? undefined : `Bearer ${this.#accessToken}`;
  }

  /** Takes over what a sign-in gave. */
  adopt(result: SignInFragment, headers: Headers): void {
    if (!isSuccess(result)) return;
    this.#accessToken = result.accessToken;
    this.#refreshToken = result.refreshToken ?? refreshTokenIn(headers) ?? this.#refreshToken;
    this.#onTokens({
      accessToken: result.accessToken,
      refreshToken: this.#refreshToken ?? null,
      expiresAt: result.expiresAt,
    });
  }

  forget(): void {
    const had = this.#accessToken !== undefined;
    this.#accessToken = undefined;
    this.#refreshToken = undefined;
    if (had) this.#onTokens(null);
  }

  /** Asks for a new access token; all who ask at the same time share one request, since a refresh token works once. */
  refresh(): Promise<SignInFragment> {
    this.#renewing ??= this.#exclusively((stored) => {
      this.#refreshToken = stored ?? this.#refreshToken;
      return this.#refresh();
    }).finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  async #refresh(): Promise<SignInFragment> {
    const variables = this.#refreshToken === undefined ? {} : { token: this.#refreshToken };
    const { data, headers } = await postOperation(
      this.fetch,
      this.url,
      RefreshDocument,
      variables,
      this.closed,
    );
    if (isSuccess(data.refresh)) this.adopt(data.refresh, headers);
    else if (data.refresh.__typename === 'UnauthenticatedProblem') this.forget();
    return data.refresh;
  }

  /**
   * After `used` was refused: true when another token is in hand, false when there is none to be had. Throws UnreachableError when that
   * can not be known now.
   */
  async renew(used: string | undefined): Promise<boolean> {
    if (this.#accessToken !== used) return this.#accessToken !== undefined;
    if (this.#refreshToken === undefined && !this.#byCookie) return false;
    const result = await this.refresh();
    if (result.__typename === 'RateLimitedProblem') throw new UnreachableError(result.message);
    return isSuccess(result);
  }
}
