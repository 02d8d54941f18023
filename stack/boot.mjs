// Entry of the root npm scripts: node stack/boot.mjs demo|up|worker|backup|restore|test|bench|soak|build [arguments].
// Plain JavaScript and no dependencies: it makes what the compiled code needs, then runs the command in this process.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`GPU Job Manager needs Node 20.19 or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}

/** What each command imports, relative to this file; `build` only prepares, `test` has its own start. */
const COMMANDS = {
  demo: './dist/demo.js',
  up: './dist/up.js',
  worker: '../worker/dist/index.js',
  backup: './dist/backup.js',
  restore: './dist/restore.js',
  bench: '../bench/dist/index.js',
  soak: '../tests/dist/soak/index.js',
  'setup:tensorflow': '../worker/dist/setup/tensorflow.js',
  'setup:webgpu': '../worker/dist/setup/webgpu.js',
  'setup:models': '../worker/dist/setup/models.js',
  test: './boot/run-tests.mjs',
  build: undefined,
};

const [command = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, command)) {
  console.error(`Usage: node stack/boot.mjs ${Object.keys(COMMANDS).join('|')} [arguments]`);
  process.exit(2);
}

const { prepare, PrepareFailure } = await import('./boot/prepare.mjs');
try {
  // Tests, measures and `build` need all that is compiled.
  await prepare(['test', 'bench', 'soak', 'build'].includes(command));
} catch (error) {
  if (!(error instanceof PrepareFailure)) throw error;
  console.error(error.message);
  process.exit(1);
}

const target = COMMANDS[command];
if (target !== undefined) {
  const entry = new URL(target, import.meta.url);
  process.argv = [process.argv[0], entry.pathname, ...args];
  await import(entry.href);
}
