import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { copyRunningCluster, copyStoppedCluster } from './backup-cluster.js';
import { type BackupNote, measureParts, noteName } from './backup-format.js';
import { writeFileAtomically } from './atomic-file.js';
import { copyTree, isEmptyFolder } from './copy-tree.js';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { type StackEnvironment, readEnvironment } from './environment.js';
import { takeFolderLock } from './folder-lock.js';
import { endLeftovers } from './leftovers.js';
import { postgresUrl } from './postgres.js';
import { postgresHomeOf } from './postgres-place.js';
import { clearRemains } from './postgres-remains.js';
import { StackProblem, systemCode } from './problem.js';
import { runCommand } from './run-command.js';
import { runProgram } from './run-program.js';
import { openSecrets } from './secrets.js';
import { readStackFile } from './stack-file.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run backup -- folder`: copies database, files, secrets and workers' identities of this box's stack, running or not. */
await runCommand(async ({ stop }) => {
  const environment = readEnvironment();
  const [given, ...more] = process.argv.slice(2);
  if (given === undefined || more.length > 0)
    throw new StackProblem('Name one folder to make: npm run backup -- /backups/gjm-monday');
  const target = resolve(environment.startedIn, given);
  if (!(await isEmptyFolder(target))) throw new StackProblem(`${target} is not empty: name a new folder.`);
  if (environment.databaseUrl !== undefined)
    throw new StackProblem('DATABASE_URL is set, so the database is not this stack’s own: use pg_dump.');
  const folder = await findDataFolder(environment, target);
  const draft = `${target}.${process.pid}.new`;
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const note = await copyStack(environment, folder, draft, stop);
    await runProgram('sync', ['-f', draft], { limitMs: 600_000 }); // on the disk before it counts as made
    await rename(draft, target);
    tell(note, target, environment);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (stop.aborted) throw new StackProblem('The backup was stopped; nothing is left of it.');
    // A full disk, a folder that can not be written, a stack that was stopped meanwhile.
    if (systemCode(error) === undefined) throw error;
    throw new StackProblem(`The backup failed, and nothing is left of it: ${(error as Error).message}`);
  }
}, 130);

/** The data folder, which must hold a stack and must not hold the backup: they would be lost together. */
async function findDataFolder(environment: StackEnvironment, target: string): Promise<DataFolder> {
  const { dataDir } = environment;
  if (await isEmptyFolder(join(dataDir, 'secrets')))
    throw new StackProblem(`There is no stack in ${dataDir}: set GJM_DATA_DIR to the folder of yours.`);
  const folder = await openDataFolder(dataDir);
  for (const own of [folder.path, postgresHomeOf(folder)])
    if (`${target}/`.startsWith(`${own}/`))
      throw new StackProblem(`${target} lies in the stack's own folder ${own}: name one elsewhere.`);
  return folder;
}

/** The database first, then the files: a file without a row does no harm, a row without its file does. */
async function copyStack(
  environment: StackEnvironment,
  folder: DataFolder,
  draft: string,
  stop: AbortSignal,
): Promise<BackupNote> {
  const data = join(postgresHomeOf(folder), 'data');
  const running = await readStackFile(folder.path);
  const lock = running ? undefined : await takeFolderLock(folder.path);
  if (!running && !lock)
    throw new StackProblem('The stack is being started or stopped: try again when that is over.');
  try {
    if (running?.ports.postgres) {
      const { postgresPassword } = await openSecrets(folder);
      const url = postgresUrl(running.ports.postgres, postgresPassword);
      await copyRunningCluster(url, data, join(draft, 'postgres'), stop);
    } else {
      await endLeftovers(folder);
      await clearRemains(data);
      await copyStoppedCluster(data, join(draft, 'postgres'), stop);
    }
    await copyTree(environment.artifactDir ?? folder.artifacts, join(draft, 'artifacts'), stop);
    await copyTree(folder.secrets, join(draft, 'secrets'), stop);
    await copyWorkers(folder, join(draft, 'workers'), stop);
    return await writeNote(draft);
  } finally {
    await lock?.release();
  }
}

/** Who each worker is; all else in its folder comes and goes. */
async function copyWorkers(folder: DataFolder, to: string, stop: AbortSignal): Promise<void> {
  const names = (await readdir(folder.path)).filter((name) => /^worker(-\d+)?$/.test(name));
  for (const name of names)
    await copyTree(join(folder.path, name), join(to, name), stop, (path) => basename(path) !== 'instance-id');
}

async function writeNote(draft: string): Promise<BackupNote> {
  const note: BackupNote = {
    format: 1,
    madeAt: new Date().toISOString(),
    postgresVersion: (await readFile(join(draft, 'postgres', 'PG_VERSION'), 'utf8')).trim(),
    processor: process.arch,
    parts: await measureParts(draft),
  };
  await writeFileAtomically(join(draft, noteName), `${JSON.stringify(note, null, 2)}\n`);
  return note;
}

function tell({ parts }: BackupNote, target: string, { inherited, secret }: StackEnvironment): void {
  const { artifacts, postgres } = parts;
  say(
    `${target}: a database of ${postgres.bytes} bytes, ${artifacts.files} files of ${artifacts.bytes} bytes`,
  );
  say('It holds the secrets of the installation: keep it where nobody else can read it.');
  if (inherited.GJM_ARTIFACT_STORE === 's3') say('The files are in a bucket and not in this backup.');
  if (secret !== undefined)
    say('GJM_SECRET comes from the environment and is not in this backup: keep it, too.');
}
