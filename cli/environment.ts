import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

type Variables = Record<string, string | undefined>;

/** What the shell tells; the one place that reads it. Paths are absolute. */
export interface Environment {
  /** GJM_URL. */
  url: string | undefined;
  /** GJM_TOKEN: an access token that goes before the saved sign-in. */
  token: string | undefined;
  /** Holds credentials.json. */
  configDir: string;
  /** Where a stack of this machine writes stack.json. */
  dataDir: string;
  /** Whether a stream gets colours, given that it is a terminal or not. */
  hasColour(isTerminal: boolean): boolean;
  /** Whether a terminal can be drawn on; `TERM=dumb` can not. */
  canRedraw: boolean;
}

/** Absolute path of the clone: this file runs from `<clone>/cli/dist/`, and in tests from `<clone>/cli/`. */
const clone = fileURLToPath(
  new URL(import.meta.url.endsWith('/dist/environment.js') ? '../..' : '..', import.meta.url),
);

/** FORCE_COLOR goes first, as it is the more explicit wish; then NO_COLOR (any text), then what the terminal is. */
function wantsColour(variables: Variables, isTerminal: boolean): boolean {
  const force = variables['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (variables['NO_COLOR']) return false;
  return isTerminal && variables['TERM'] !== 'dumb';
}

export function readEnvironment(variables: Variables = process.env): Environment {
  const configHome = variables['XDG_CONFIG_HOME'];
  // The specification says that a relative one is to be ignored.
  const base = configHome && isAbsolute(configHome) ? configHome : join(homedir(), '.config');
  return {
    url: variables['GJM_URL'] || undefined,
    token: variables['GJM_TOKEN'] || undefined,
    configDir: join(base, 'gjm'),
    dataDir: resolve(variables['GJM_DATA_DIR'] || join(clone, '.gjm')),
    hasColour: (isTerminal) => wantsColour(variables, isTerminal),
    canRedraw: variables['TERM'] !== 'dumb',
  };
}
