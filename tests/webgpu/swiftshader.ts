import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { unpackPackages } from '@gjm/worker/setup/packages.js';
import { runProgram } from '@gjm/worker/setup/run-program.js';

/** A Chromium for small machines, of which we take the software driver and Vulkan's loader that lie in it. */
const chromium = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

/**
 * Fetches SwiftShader and libvulkan.so.1 into `folder`: enough for WebGPU on a machine without any graphics.
 * @throws SetupProblem when npm can not fetch the package
 */
export function fetchSwiftshader(folder: string): void {
  mkdirSync(folder, { recursive: true });
  unpackPackages([chromium], folder);
  const modules = join(folder, 'node_modules');
  const archive = join(folder, 'driver.tar');
  const packed = readFileSync(join(modules, chromium.name, 'bin/swiftshader.tar.br'));
  writeFileSync(archive, brotliDecompressSync(packed));
  const files = ['libvk_swiftshader.so', 'libvulkan.so.1', 'vk_swiftshader_icd.json'];
  const tar = ['--extract', '--no-same-owner', '--directory', folder, '--file', archive, ...files];
  runProgram('tar', tar, { failure: 'SwiftShader could not be unpacked', limitMs: 60_000 });
  rmSync(archive);
  rmSync(modules, { recursive: true });
}
