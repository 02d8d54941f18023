import type { Viewer } from '@gjm/core/access/policy.js';
import type { AccountRows } from './ports.js';

/** How long a look at a session or a user may be reused, in ms. */
const lookMs = 2_000;
/** Bound of each cache; the oldest look goes first. */
const maxLooks = 10_000;

/**
 * Remembers looks for a moment, so that a client that asks 400 times a second costs one row read every two seconds. Looks under way are
 * shared. A look that failed is not kept.
 */
export function createLookCache<T>(look: (key: string) => Promise<T>, reuseMs = lookMs) {
  const looks = new Map<string, { until: number; value: Promise<T> }>();
  return {
    get(key: string): Promise<T> {
      const now = Date.now();
      const known = looks.get(key);
      if (known && known.until > now) return known.value;
      const value = look(key);
      const entry = { until: now + reuseMs, value };
      looks.delete(key);
      looks.set(key, entry);
      value.catch(() => looks.get(key) === entry && looks.delete(key));
      const [oldest] = looks.keys();
      if (looks.size > maxLooks && oldest !== undefined) looks.delete(oldest);
      return value;
    },
    forget: (key: string) => looks.delete(key),
  };
}

/** Who a session or a user id stands for, at most two seconds old. */
export function createViewers(rows: Pick<AccountRows, 'findSessionViewer' | 'findViewer'>) {
  const bySession = createLookCache<Viewer | null>((id) => rows.findSessionViewer(id));
  const byUser = createLookCache<Viewer | null>((id) => rows.findViewer(id));
  return {
    ofSession: (sessionId: string) => bySession.get(sessionId),
    ofUser: (userId: string) => byUser.get(userId),
    /** The session ended: the next look asks the database. */
    forgetSession: (sessionId: string) => void bySession.forget(sessionId),
    /** The user changed. Their sessions' looks grow old by themselves. */
    forgetUser: (userId: string) => void byUser.forget(userId),
  };
}
export type Viewers = ReturnType<typeof createViewers>;
