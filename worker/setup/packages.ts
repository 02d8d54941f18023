import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from './problem.js';
import { runProgram } from './run-program.js';

/** A package of the npm registry, held to the bytes it had when this release was made. */
export interface PinnedPackage {
  name: string;
  version: string;
  integrity: string;
}

/**
 * The binding and what its kernels load. The package's other dependencies serve its own download and its main module, and neither is used
 * here.
 */
export const bindingPackages: readonly PinnedPackage[] = [
  {
    name: '@tensorflow/tfjs-node',
    version: '4.22.0',
    integrity:
      'sha512-uHrXeUlfgkMxTZqHkESSV7zSdKdV0LlsBeblqkuKU9nnfxB1pC6DtoyYVaLxznzZy7WQSegjcohxxCjAf6Dc7w==',
  },
  {
    name: 'google-protobuf',
    version: '3.21.4',
    integrity:
      'sha512-MnG7N936zcKTco4Jd2PX2U96Kf9PxygAPKBug+74LHzmHXmceN16MmRcdgZv+DGef/S9YvQAfRsNCn4cjf9yyQ==',
  },
];

const npmLimitMs = 5 * 60_000;

/**
 * Unpacks packages into `<folder>/node_modules` without their dependencies; no script of theirs runs.
 * @throws SetupProblem when the registry can not be reached, or gives other bytes
 */
export function unpackPackages(packages: readonly PinnedPackage[], folder: string): void {
  const specs = packages.map(({ name, version }) => `${name}@${version}`);
  const failure = `npm could not fetch ${specs.join(' and ')}`;
  const args = ['pack', ...specs, '--json', '--ignore-scripts', '--pack-destination', folder];
  const answer = runProgram('npm', args, { failure, cwd: folder, limitMs: npmLimitMs });
  const packed = JSON.parse(answer) as { name: string; filename: string; integrity: string }[];
  for (const { name, version, integrity } of packages) {
    const found = packed.find((candidate) => candidate.name === name);
    if (found?.integrity !== integrity)
      throw new SetupProblem(`${name}@${version} is not the package that this release knows: ${integrity}.`);
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    const tar = ['--extract', '--gzip', '--strip-components=1', '--no-same-owner', '--directory', target];
    const archive = join(folder, found.filename);
    const unpack = { failure: `${found.filename} could not be unpacked`, limitMs: npmLimitMs };
    runProgram('tar', [...tar, '--file', archive], unpack);
    rmSync(archive);
  }
}
