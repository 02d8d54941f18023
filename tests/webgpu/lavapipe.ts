import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPrivateApt } from '@gjm/stack/apt-private.js';
import { runProgram } from '@gjm/stack/run-program.js';
import { lacksLibraries, libraryPathOf } from '@gjm/stack/shared-libraries.js';

const driverPackage = 'mesa-vulkan-drivers';
const driver = 'usr/lib/x86_64-linux-gnu/libvulkan_lvp.so';

/**
 * Unpacks Mesa's lavapipe of this distribution below `folder`, with what it needs and the system lacks, and describes it to Vulkan's loader.
 * Dawn refuses that of Debian 12 itself; there it comes from the backports.
 * @throws Error with apt's last words
 */
export async function fetchLavapipe(folder: string, signal: AbortSignal): Promise<void> {
  const state = `${folder}.apt`;
  try {
    await unpackDriver(folder, state, signal);
    const manifest = {
      file_format_version: '1.0.0',
      ICD: { library_path: `./${driver}`, api_version: '1.3.0' },
    };
    await writeFile(join(folder, 'icd.json'), JSON.stringify(manifest));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

async function unpackDriver(folder: string, state: string, signal: AbortSignal): Promise<void> {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1];
  const backports = codename === 'bookworm' ? `${codename}-backports` : undefined;
  const sources = backports === undefined ? undefined : await withRelease(codename ?? '', backports, signal);
  const apt = await openPrivateApt(state, signal, sources);
  const from = (name: string) => (backports ? `${name}/${backports}` : name);
  await apt.unpack([from(driverPackage), from('libdrm2')], folder);
  for (const depth of ['direct', 'all'] as const) {
    if (!(await lacksLibraries(join(folder, driver), await libraryPathOf(folder)))) break;
    const libraries = await apt.listLibraries(driverPackage, depth);
    await apt.unpack(
      libraries.filter((name) => name !== 'libdrm2'),
      folder,
    );
  }
}

/** The sources from which the system has its release, once more with another release of the same place. */
async function withRelease(codename: string, other: string, signal: AbortSignal): Promise<string[]> {
  const format = ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', 'Identifier: Packages'];
  const targets = await runProgram('apt-get', format, { limitMs: 10_000, signal });
  const places = targets.split('\n').filter((line) => line.endsWith(` ${codename}`));
  return [...new Set(places)].flatMap((line) => {
    const [place = ''] = line.split(' ');
    return [codename, other].map((release) => `deb ${place} ${release} main`);
  });
}
