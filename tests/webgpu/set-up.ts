import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFolder } from '@gjm/worker/packages-folder.js';
import { setUpDawn } from '@gjm/worker/setup/dawn.js';
import { putInPlace } from '@gjm/worker/setup/place.js';
import { fetchLavapipe } from './lavapipe.js';
import { fetchSwiftshader } from './swiftshader.js';

/** All of it takes about 10 s; a network that hangs must not hold the tests up. */
const limitMs = 60_000;

/**
 * Sets up what the tests of the engine webgpu need: Dawn, and two software adapters as two real devices. What can not be had is said on
 * stderr, and the tests that need it say that they are left out. Never rejects.
 */
export async function setUpWebgpu(): Promise<void> {
  await tolerate('The engine webgpu', async () => {
    await setUpDawn();
  });
  const folder = join(packagesFolder(), 'vulkan');
  if (['swiftshader', 'lavapipe'].every((name) => existsSync(join(folder, name)))) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write('The software adapters are for Linux on x64: tests of webgpu are left out.\n');
    return;
  }
  process.stderr.write('Setting up software adapters …\n');
  const signal = AbortSignal.timeout(limitMs);
  await tolerate('The software adapters', async () => {
    await putInPlace('vulkan', async (place) => {
      fetchSwiftshader(join(place.folder, 'swiftshader'));
      const lavapipe = join(place.folder, 'lavapipe');
      await tolerate('Mesa’s lavapipe', () => fetchLavapipe(lavapipe, signal));
    });
  });
}

async function tolerate(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(
      `${what} could not be set up: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}
