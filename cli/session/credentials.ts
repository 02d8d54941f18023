import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CommandError, exitCodes } from '../exit.js';

/** One saved sign-in. A token is only ever sent to the server it came from. */
export interface Login {
  email: string;
  accessToken: string;
  /** Rotates: whoever renews must hold the lock and read this first. */
  refreshToken: string | null;
  /** Of the access token; ISO 8601, by the server's clock. */
  expiresAt: string;
}

interface Credentials {
  version: 1;
  /** The server of the last sign-in. */
  current: string | null;
  /** By the server's origin. */
  logins: Record<string, Login>;
}

const none: Credentials = { version: 1, current: null, logins: {} };

/**
 * credentials.json: mode 0600 in a folder of mode 0700, replaced as a whole, so that a reader sees the old content or the new. Writing is
 * synchronous, because it must be done before the lock is given back.
 */
export class CredentialsFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, 'credentials.json');
  }

  get current(): string | null {
    return this.#read().current;
  }

  loginOf(url: string): Login | null {
    return this.#read().logins[url] ?? null;
  }

  /** Saves a sign-in, which becomes the current one. */
  save(url: string, login: Login): void {
    const { logins } = this.#read();
    this.#write({ version: 1, current: url, logins: { ...logins, [url]: login } });
  }

  /** Replaces the tokens of a sign-in that is still there. */
  renew(url: string, tokens: Omit<Login, 'email'>): void {
    const credentials = this.#read();
    const login = credentials.logins[url];
    if (!login) return;
    this.#write({ ...credentials, logins: { ...credentials.logins, [url]: { ...login, ...tokens } } });
  }

  forget(url: string): void {
    const { current, logins } = this.#read();
    if (!logins[url]) return;
    const { [url]: _, ...kept } = logins;
    this.#write({ version: 1, current: current === url ? null : current, logins: kept });
  }

  #read(): Credentials {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none;
      throw error;
    }
    try {
      const credentials = JSON.parse(text) as Credentials;
      if (credentials.version === 1 && typeof credentials.logins === 'object') return credentials;
    } catch {
      // Told below, as any content that is not ours.
    }
    const message = `${this.path} can not be read as saved sign-ins. Remove it, then: gjm login`;
    throw new CommandError(exitCodes.signIn, 'CREDENTIALS', message);
  }

  #write(credentials: Credentials): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    chmodSync(this.folder, 0o700);
    const draft = `${this.path}.${randomBytes(6).toString('hex')}.new`;
    try {
      writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
}
