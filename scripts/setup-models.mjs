// npm run setup:models: installs the packages whose weights not everybody wants (155 MB), for the tier `thick` of image.upscale and for
// image.moderate. They lie beside node_modules, so that an `npm ci` leaves them. Doing it again does nothing; breaking it off leaves nothing.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Exact versions, and the digests of what the registry must give for them. */
const packages = {
  '@upscalerjs/esrgan-thick': {
    version: '1.0.0',
    integrity:
      'sha512-Xt7LAEa1WYVdU8teye1A2J3T2ylb3ihlU/x01x1ieM7zZh5FzTll6fwmeUC82mkztWloGZM65KdSEWOmhlXOdw==',
  },
  nsfwjs: {
    version: '4.4.0',
    integrity:
      'sha512-krC1fgeTLXtZwgdpKJ0jm7hqv0gTSRQQRL+FhOaxaJ9Wj92t42BO3csO2odwgTAgZgf2RvkwPtp0R8Aa7dc+MA==',
  },
};

const parent = process.env.GJM_PACKAGES_DIR ?? fileURLToPath(new URL('../worker/packages/', import.meta.url));
const folder = join(parent, 'models');
const versions = Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version]));
const manifest = `${JSON.stringify({ private: true, dependencies: versions }, null, 2)}\n`;

/** True when exactly these versions are there; the folder appears only when it is whole. */
export function areModelsSetUp() {
  const path = join(folder, 'package.json');
  return existsSync(path) && readFileSync(path, 'utf8') === manifest;
}

/**
 * Installs the packages into a folder of its own, checks them and gives it its name. Resolves with false when they were there.
 * @throws Error when npm fails or gives other bytes than were pinned
 */
export async function setUpModels() {
  if (areModelsSetUp()) return false;
  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(join(parent, '.models-'));
  // The worker may run as another user.
  chmodSync(unfinished, 0o755);
  try {
    writeFileSync(join(unfinished, 'package.json'), manifest);
    await npmInstall(unfinished);
    checkDigests(unfinished);
    putInPlace(unfinished);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return true;
}

/** No script of theirs runs, and nothing that they ask for comes along: only their weights are read. */
function npmInstall(place) {
  const args = ['install', '--prefix', place, '--ignore-scripts', '--legacy-peer-deps', '--no-workspaces'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((done, fail) => {
    const npm = spawn('npm', [...args, ...quiet], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
    const pass = (signal) => npm.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, pass);
    npm.once('error', fail);
    npm.once('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass);
      if (code === 0) done();
      else fail(new Error(`npm install ended with ${signal ?? `code ${code}`}.`));
    });
  });
}

function checkDigests(place) {
  const record = JSON.parse(readFileSync(join(place, 'node_modules', '.package-lock.json'), 'utf8'));
  for (const [name, { integrity }] of Object.entries(packages)) {
    const found = record.packages[`node_modules/${name}`]?.integrity;
    if (found !== integrity) throw new Error(`${name} is not the package that was pinned (${found}).`);
  }
}

/** An older set makes room. Where another run was quicker, its folder stays. */
function putInPlace(unfinished) {
  if (areModelsSetUp()) return;
  const replaced = `${unfinished}-replaced`;
  if (existsSync(folder)) renameSync(folder, replaced);
  renameSync(unfinished, folder);
  rmSync(replaced, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const isNew = await setUpModels();
    console.log(isNew ? `The models lie in ${folder}.` : `The models lie in ${folder} already.`);
  } catch (error) {
    console.error(`The models could not be set up: ${error.message}`);
    process.exitCode = 1;
  }
}
