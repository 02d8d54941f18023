import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { cloneRoot } from '@gjm/stack/clone.js';

/** A server process of a test's own, beside or instead of the stack's. */
export interface ServerProcess {
  /** Settles when it takes requests, or with null when it ended before. */
  url: Promise<string | null>;
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Everything it wrote. */
  output(): string;
  /** How it ended. */
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `server/dist/index.js` on any free port with exactly these variables. */
function spawnServer(env: Record<string, string | undefined>): ServerProcess {
  const child = spawn(
    process.execPath,
    // Without source maps: they cost a fifth of a start, and tests start many.
    [join(cloneRoot, 'server', 'dist', 'index.js')],
    {
      // Nothing of the test's own environment reaches it.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', GJM_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let written = '';
  const url = new Promise<string | null>((resolve) => {
    const read = (chunk: Buffer) => {
      written += chunk.toString();
      const found = /"url":"(http[^"]+)"/.exec(written);
      if (found) resolve(found[1] as string);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => resolve(null));
  });
  return {
    url,
    pid: child.pid as number,
    kill: (signal) => void child.kill(signal),
    output: () => written,
    exit: new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    }),
  };
}

/** Databases and folders of a test's own, made on the stack's Postgres, and servers on them. All end with `close`. */
export class ServerBench {
  readonly #servers: ServerProcess[] = [];
  readonly #folders: string[] = [];

  constructor(
    private readonly stores: { databaseUrl: string; redisUrl: string },
    private readonly secret = randomBytes(32).toString('hex'),
  ) {}

  /** The variables of a fresh installation: an empty database and an empty folder. Servers given the same ones are its replicas. */
  async install(): Promise<Record<string, string>> {
    const name = `t_${randomBytes(6).toString('hex')}`;
    const client = new pg.Client(this.stores.databaseUrl);
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    const folder = await mkdtemp(join(tmpdir(), 'gjm-test-'));
    this.#folders.push(folder);
    const url = new URL(this.stores.databaseUrl);
    url.pathname = `/${name}`;
    return {
      DATABASE_URL: url.href,
      REDIS_URL: this.stores.redisUrl,
      GJM_SECRET: this.secret,
      GJM_DATA_DIR: folder,
    };
  }

  spawn(env: Record<string, string | undefined>): ServerProcess {
    const server = spawnServer(env);
    this.#servers.push(server);
    return server;
  }

  /** A server that is ready. */
  async start(env: Record<string, string | undefined>): Promise<ServerProcess & { address: string }> {
    const server = this.spawn(env);
    const address = await server.url;
    if (address === null) throw new Error(`The server did not start:\n${server.output()}`);
    return { ...server, address };
  }

  /** The addresses of several servers that are ready, replicas of one installation. */
  async startMany(count: number, env: Record<string, string | undefined>): Promise<string[]> {
    const servers = await Promise.all(Array.from({ length: count }, () => this.start(env)));
    return servers.map(({ address }) => address);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.kill('SIGTERM');
    await Promise.all(this.#servers.map((server) => server.exit));
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}
