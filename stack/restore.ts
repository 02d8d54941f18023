import { lchown, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BackupNote, checkBackup } from './backup-format.js';
import { copyTree, isEmptyFolder } from './copy-tree.js';
import { openDataFolder } from './data-folder.js';
import { type StackEnvironment, readEnvironment } from './environment.js';
import { takeFolderLock } from './folder-lock.js';
import { type PostgresPlace, preparePostgresPlace } from './postgres-place.js';
import { StackProblem, systemCode } from './problem.js';
import { type CommandControl, runCommand } from './run-command.js';
import { runProgram } from './run-program.js';
import { openSecrets } from './secrets.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run restore -- backup`: puts a backup into an empty data folder. It never replaces data, and leaves nothing when it fails. */
await runCommand(async (control) => {
  const environment = readEnvironment();
  const [given, ...more] = process.argv.slice(2);
  if (given === undefined || more.length > 0)
    throw new StackProblem('Name one backup: npm run restore -- /backups/gjm-monday');
  if (environment.databaseUrl !== undefined)
    throw new StackProblem('DATABASE_URL is set, and a backup is put into a database of our own: unset it.');
  const backup = resolve(environment.startedIn, given);
  const { dataDir, artifactDir } = environment;
  for (const place of [dataDir, ...(artifactDir === undefined ? [] : [artifactDir])])
    if (!(await isEmptyFolder(place)))
      throw new StackProblem(
        `${place} is not empty, and a restore replaces nothing: move it away, or set GJM_DATA_DIR to a new folder.`,
      );
  const note = await checkBackup(backup);
  await putBack(environment, backup, note, control).catch((error: unknown) => {
    if (control.stop.aborted) throw new StackProblem('The restore was stopped; nothing is left of it.');
    if (systemCode(error) === undefined) throw error;
    throw new StackProblem(`The restore failed, and nothing is left of it: ${(error as Error).message}`);
  });
  say(`${dataDir} is as ${backup} was on ${note.madeAt}. Start it: npm run up`);
}, 130);

/** The cluster comes last, under its name only when it is whole. */
async function putBack(
  environment: StackEnvironment,
  backup: string,
  note: BackupNote,
  { stop }: CommandControl,
): Promise<void> {
  const folder = await openDataFolder(environment.dataDir);
  const lock = await takeFolderLock(folder.path);
  if (lock === undefined) throw new StackProblem(`A start is under way on ${folder.path}: stop it first.`);
  try {
    await copyTree(join(backup, 'secrets'), folder.secrets, stop);
    await copyTree(join(backup, 'workers'), folder.path, stop);
    await copyTree(join(backup, 'artifacts'), environment.artifactDir ?? folder.artifacts, stop);
    const secrets = await openSecrets(folder);
    const place = await preparePostgresPlace({ environment, folder, secrets, signal: stop, say });
    await checkVersion(place, note);
    await putClusterBack(place, join(backup, 'postgres'), stop);
    await runProgram('sync', ['-f', folder.path], { limitMs: 600_000 });
  } catch (error) {
    for (const path of [folder.path, environment.artifactDir]) await emptyFolder(path);
    throw error;
  } finally {
    await lock.release();
  }
}

/** The files of a cluster are those of one major version on one sort of processor. */
async function checkVersion({ native }: PostgresPlace, note: BackupNote): Promise<void> {
  const { version } = JSON.parse(
    await readFile(join(native, '..', 'package.json'), 'utf8').catch(() => '{}'),
  ) as {
    version?: string;
  };
  const major = (version ?? /programs-(\d+)/.exec(native)?.[1])?.split('.')[0];
  if (major === note.postgresVersion && process.arch === note.processor) return;
  throw new StackProblem(
    `The backup is of Postgres ${note.postgresVersion} on ${note.processor}; here is ${major} on ${process.arch}. Restore it with the release that made it.`,
  );
}

async function putClusterBack(place: PostgresPlace, from: string, stop: AbortSignal): Promise<void> {
  const draft = join(place.home, 'data.new');
  await rm(draft, { recursive: true, force: true });
  try {
    await copyTree(from, draft, stop);
    if (place.user) await giveTo(draft, place.user.uid, place.user.gid);
    await rename(draft, place.data);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function giveTo(path: string, uid: number, gid: number): Promise<void> {
  await lchown(path, uid, gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await lchown(join(entry.parentPath, entry.name), uid, gid);
}

/** Removes what a failed restore put into a folder that was empty before. */
async function emptyFolder(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  await mkdir(path, { recursive: true });
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
}
