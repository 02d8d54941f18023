import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.js';

/** Fetches packages of the distribution with a state of its own: no root, no lock and no list of the system. */
export interface PrivateApt {
  /** Downloads packages and unpacks them below `root`; nothing is installed and no script of them runs. */
  unpack(packages: readonly string[], root: string): Promise<void>;
  /** The library packages a package needs, without the C library; `all` goes through what those need too. */
  listLibraries(name: string, depth: 'direct' | 'all'): Promise<string[]>;
}

/** The lists of a whole distribution are about 10 MB; a slow line needs its time. */
const FETCH_MS = 180_000;

/**
 * Prepares a private apt state in `folder` and fetches the lists, of the system's sources or of `sources` (lines of a sources.list).
 * Fails with apt's last words.
 */
export async function openPrivateApt(
  folder: string,
  signal: AbortSignal,
  sources?: readonly string[],
): Promise<PrivateApt> {
  for (const inner of ['state/lists/partial', 'cache/archives/partial']) {
    await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
  }
  const config = join(folder, 'apt.conf');
  if (sources) await writeFile(join(folder, 'sources.list'), `${sources.join('\n')}\n`);
  await writeFile(config, describeConfig(folder, sources !== undefined));
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
  const run = (command: string, args: string[], cwd = folder) =>
    runProgram(command, args, { limitMs: FETCH_MS, signal, env, cwd });
  await run('apt-get', ['-c', config, '-q', 'update']);
  return {
    async unpack(packages, root) {
      const box = join(folder, `box-${packages[0] ?? 'none'}`);
      await mkdir(box, { recursive: true });
      await run('apt-get', ['-c', config, '-q', 'download', ...packages], box);
      for (const file of await readdir(box)) await run('dpkg', ['-x', join(box, file), root]);
    },
    async listLibraries(name, depth) {
      const flags = ['--no-recommends', '--no-suggests', '--no-conflicts', '--no-breaks', '--no-replaces'];
      flags.push('--no-enhances', '--no-pre-depends');
      if (depth === 'all') flags.push('--recurse');
      const listing = await run('apt-cache', ['-c', config, 'depends', ...flags, name]);
      const names = listing.split('\n').map((line) => line.replace(/^[ |]*(Depends: )?/, '').trim());
      return [...new Set(names)].filter((one) => /^lib[a-z0-9.+-]+$/.test(one) && one !== 'libc6');
    },
  };
}

function describeConfig(folder: string, hasSources: boolean): string {
  return [
    `Dir::State "${folder}/state";`,
    'Dir::State::status "/var/lib/dpkg/status";',
    `Dir::Cache "${folder}/cache";`,
    ...(hasSources ? [`Dir::Etc::sourcelist "${folder}/sources.list";`, 'Dir::Etc::sourceparts "-";'] : []),
    'APT::Sandbox::User "";', // the private folders are closed to apt's own user
    'Acquire::Languages "none";',
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '',
  ].join('\n');
}
