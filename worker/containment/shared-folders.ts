import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { ProgramUser } from './program-task.js';
import { CanNotContain } from './run-users.js';
import { findTool, type Tools } from './tools.js';

const limitMs = 5_000;
/** Entries of one folder that are looked at: nobody shall wait for a data set of millions of files. */
const mostLookedAt = 1_000;
const [unreadableCode, writableCode] = [10, 11];

/** Mounts a folder over itself with all that is mounted below it, read-only, and goes on with a command. A folder that is gone needs none. */
const mountScript = `
  mount=$1; shift
  [ -d "$0" ] || exec "$@"
  fail() { echo "The shared folder $0 can not be made read-only." >&2; exit 1; }
  "$mount" --rbind "$0" "$0" || fail
  while IFS= read -r point; do
    case $point in "$0" | "$0"/*) "$mount" -o remount,bind,ro,nosuid,nodev "$point" || fail ;; esac
  done <<POINTS
$(while read -r _ _ _ _ point _; do printf '%b\\n' "$point"; done </proc/self/mountinfo)
POINTS
  exec "$@"`;

/** Whether a user may read a folder, and what of it and directly in it the user may write. */
const lookScript = `
  [ -r "$0" ] && [ -x "$0" ] || exit ${unreadableCode}
  looked=0
  for path in "$0" "$0"/* "$0"/.[!.]*; do
    [ $((looked += 1)) -gt ${mostLookedAt} ] && break
    [ -w "$path" ] && [ ! -L "$path" ] || continue
    printf %s "$path"
    exit ${writableCode}
  done
  exit 0`;

/**
 * Where the folders that the operator shares with programs really lie.
 * @param own folders that programs and their runners must be able to write
 * @throws CanNotContain for what is no folder, or holds one of `own`
 */
export function findShared(folders: readonly string[], own: readonly string[]): string[] {
  const written = own.map((path) => realFolder(path) ?? path);
  return folders.map((folder) => {
    const found = realFolder(folder);
    if (found === null)
      throw new CanNotContain(`There is no folder ${folder}, which GJM_SHARED_FOLDERS names.`);
    const held = written.find((path) => `${path}${sep}`.startsWith(found === sep ? sep : `${found}${sep}`));
    if (held !== undefined)
      throw new CanNotContain(
        `GJM_SHARED_FOLDERS names ${folder}, which can not be read-only: the worker writes ${held}. Name folders of data alone.`,
      );
    return found;
  });
}

/** What makes folders read-only for the command that follows. For a root in a mount namespace of its own; null without `mount`. */
export function mountReadOnly(folders: readonly string[], { sh }: Tools): string[] | null {
  const mount = findTool('mount');
  return mount === null ? null : folders.flatMap((folder) => [sh, '-c', mountScript, folder, mount]);
}

/**
 * Looks with the eyes of a program's user; null: of our own.
 * @param isReadOnly whether the folders are mounted so for programs, whatever their permissions say
 * @throws CanNotContain for a folder that the user can not read, or may write to
 */
export function refuseUnfitShared(
  folders: readonly string[],
  user: ProgramUser | null,
  { setpriv, sh }: Tools,
  isReadOnly: boolean,
): void {
  const as = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  for (const folder of folders) {
    const options = { env: {}, timeout: limitMs, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(setpriv, [...as, sh, '-c', lookScript, folder], options);
    const who = user
      ? `Programs, which run as ${user.name},`
      : "Programs, which run as the worker's own user,";
    if (status === writableCode && !isReadOnly)
      throw new CanNotContain(
        `${who} may write ${stdout}, and it can not be made read-only for them here: take them that right, or leave ${folder} out of GJM_SHARED_FOLDERS.`,
      );
    if (status !== 0 && status !== writableCode)
      throw new CanNotContain(`${who} can not read ${folder}, which GJM_SHARED_FOLDERS names.`);
  }
}

function realFolder(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}
