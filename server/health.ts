import type { Redis } from 'ioredis';
import type { HealthCheck, HealthReport } from './application/health.js';
import type { ArtifactStore } from './application/ports.js';
import type { Database, Statement } from './persistence/database.js';

/** Looks are shared for this long, in ms: asking often costs nothing. */
const reuseMs = 500;
/** A look that takes longer failed. */
const limitMs = 2_000;
/** Below this the store is said to be full. */
const freeFloorBytes = 256 * 1024 * 1024;

const ping: Statement = { name: 'ping', text: 'SELECT 1' };

interface HealthDeps {
  version: string;
  database: Database;
  redis: Redis;
  store: ArtifactStore;
  isDraining: () => boolean;
}

/**
 * Looks at what the server stands on. Postgres and draining decide whether it takes work; Redis, its settings and disk space only degrade
 * it: submits, reads and watches go on. Migrations are current whenever this runs: the server did not start without.
 */
export function createHealth({
  version,
  database,
  redis,
  store,
  isDraining,
}: HealthDeps): () => Promise<HealthReport> {
  let last: { at: number; report: Promise<HealthReport> } | null = null;
  async function look(): Promise<HealthReport> {
    const checks = await Promise.all([
      check('postgres', async () => void (await database.run(ping, []))),
      check('redis', async () => void (await redis.ping())),
      check('redis-eviction', () => refuseEviction(redis)),
      check('artifact-space', () => requireSpace(store)),
    ]);
    return {
      ok: checks[0].ok,
      version,
      checks: [{ name: 'migrations', ok: true, message: null }, ...checks],
    };
  }
  return async () => {
    if (!last || Date.now() - last.at > reuseMs) last = { at: Date.now(), report: look() };
    const report = await last.report;
    const draining: HealthCheck = {
      name: 'accepting',
      ok: !isDraining(),
      message: isDraining() ? 'This server is stopping.' : null,
    };
    return { ...report, ok: report.ok && draining.ok, checks: [...report.checks, draining] };
  };
}

async function check(name: string, work: () => Promise<void>): Promise<HealthCheck> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time.')), limitMs);
  });
  try {
    await Promise.race([work(), late]);
    return { name, ok: true, message: null };
  } catch (error) {
    return { name, ok: false, message: explain(error) };
  } finally {
    clearTimeout(timer);
  }
}

/** Messages of ours are shown; those of drivers may hold addresses. */
const explain = (error: unknown): string =>
  error instanceof Explained || (error as Error).message === 'No answer in time.'
    ? (error as Error).message
    : 'It does not answer.';

class Explained extends Error {}

/** Queue keys must not be evicted. Where CONFIG is forbidden (managed Redis) nothing can be said. */
async function refuseEviction(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') return;
  const [, policy] = (await redis.config('GET', 'maxmemory-policy').catch(() => [])) as string[];
  if (policy !== undefined && policy !== 'noeviction')
    throw new Explained(
      `Redis has maxmemory-policy ${policy}, which may lose messages: set it to noeviction.`,
    );
}

async function requireSpace(store: ArtifactStore): Promise<void> {
  if ((await store.freeBytes()) < freeFloorBytes)
    throw new Explained('Less than 256 MiB are free where files are kept.');
}
