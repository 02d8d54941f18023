import type { Viewer } from '@gjm/core/access/policy.js';
import type { Accounts } from '../application/accounts/accounts.js';
import type { Files } from '../application/files/files.js';
import type { HealthReport } from '../application/health.js';
import type { Services } from '../application/services.js';

/** What one operation may know and use. Made anew for each HTTP request and for each subscription. */
export interface GraphqlContext {
  /** Null without a good access token. The guard (guard.ts) lets only public fields run then. */
  viewer: Viewer | null;
  sessionId: string | null;
  /** Echoed in `extensions.requestId`, in the log and in the header `x-request-id`. */
  requestId: string;
  /** W3C trace id, 32 hex digits: the caller's, or a fresh one. */
  traceId: string;
  /** Set when the viewer could not be looked up: the guard answers UNAVAILABLE instead of UNAUTHENTICATED. */
  viewerFault: unknown;
  services: Services;
  accounts: Accounts;
  files: Files;
  health: () => Promise<HealthReport>;
  /** How the caller is connected; null on a WebSocket. */
  caller: Caller | null;
  /** The value of `make`, made once per context: `context.once(createJobLoaders)`. */
  once<T>(make: (context: GraphqlContext) => T): T;
}

/** The HTTP side of a sign-in. */
export interface Caller {
  /** IP address, IPv4 in its own form also on a dual-stack socket. */
  address: string;
  /** The refresh token of the cookie, if any. */
  refreshCookie: string | null;
  /** Sets the cookie until `expiresAt`, or clears it with null. */
  setRefreshCookie(token: string | null, expiresAt?: Date): void;
}

/** A context for one operation. */
export function createContext(parts: Omit<GraphqlContext, 'once'>): GraphqlContext {
  const made = new Map<unknown, unknown>();
  const context: GraphqlContext = {
    ...parts,
    once<T>(make: (context: GraphqlContext) => T): T {
      if (!made.has(make)) made.set(make, make(context));
      return made.get(make) as T;
    },
  };
  return context;
}

/** The viewer of a guarded field. Throwing here is a bug: the guard should have answered. */
export function viewerOf(context: GraphqlContext): Viewer {
  if (context.viewer === null) throw new Error('A guarded field ran without a viewer.');
  return context.viewer;
}
