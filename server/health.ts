import type { Redis } from 'ioredis';
import type { HealthCheck, HealthReport } from './application/health.js';
import type { Database } from './persistence/database.js';
import {
  compareMigrations,
  lookAtDatabase,
  noticeLaterRelease,
  requireClock,
  requireMigrations,
  requireVersion,
} from './preflight/check-database.js';
import { refuseEviction } from './preflight/check-redis.js';
import { Explained } from './preflight/explained.js';

/** Looks are shared for this long, in ms: asking often costs nothing. */
const reuseMs = 500;
/** A look that takes longer failed, in ms. */
const limitMs = 2_000;

interface HealthDeps {
  version: string;
  database: Database;
  redis: Redis;
  /** What there is to look at where files are kept. */
  artifactLooks: readonly NamedLook[];
  isDraining: () => boolean;
}

/** One thing to look at: throws when it is not well; a text is a note that goes with "well". */
type Look = () => Promise<unknown>;
export type NamedLook = [name: string, look: Look];

/**
 * Looks at what the server stands on. Postgres, its version, migrations and draining decide whether it takes work; everything else only
 * degrades it: submits, reads and watches go on.
 */
export function createHealth(deps: HealthDeps): () => Promise<HealthReport> {
  let last: { at: number; report: Promise<HealthReport> } | null = null;
  return async () => {
    if (!last || Date.now() - last.at > reuseMs) last = { at: Date.now(), report: lookAtAll(deps) };
    const report = await last.report;
    const isDraining = deps.isDraining();
    const draining = {
      name: 'accepting',
      ok: !isDraining,
      message: isDraining ? 'This server is stopping.' : null,
    };
    return { ...report, ok: report.ok && draining.ok, checks: [...report.checks, draining] };
  };
}

async function lookAtAll(deps: HealthDeps): Promise<HealthReport> {
  const { version, database, redis } = deps;
  const [server, schema] = [lookAtDatabase(database), compareMigrations(database)];
  const needed: NamedLook[] = [
    ['postgres', async () => void (await server)],
    ['postgres-version', async () => requireVersion(await server)],
    ['migrations', async () => requireMigrations(await schema)],
  ];
  const wanted: NamedLook[] = [
    ['later-release', async () => noticeLaterRelease(await schema)],
    ['clock', async () => requireClock(await server)],
    ['redis', async () => void (await redis.ping())],
    ['redis-eviction', () => refuseEviction(redis)],
    ...deps.artifactLooks,
  ];
  const [first, second] = await Promise.all(
    [needed, wanted].map((looks) => Promise.all(looks.map(([name, look]) => check(name, look)))),
  );
  return {
    ok: (first ?? []).every(({ ok }) => ok),
    version,
    checks: [...(first ?? []), ...(second ?? [])],
  };
}

async function check(name: string, look: Look): Promise<HealthCheck> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Explained('No answer in time.')), limitMs);
  });
  try {
    const note = await Promise.race([look(), late]);
    return { name, ok: true, message: typeof note === 'string' ? note : null };
  } catch (error) {
    // Messages of ours are shown; those of drivers may hold addresses.
    return { name, ok: false, message: error instanceof Explained ? error.message : 'It does not answer.' };
  } finally {
    clearTimeout(timer);
  }
}
