/**
 * The import rules of the rooms (docs/architecture.md): which room may import which, which packages only certain places may load, and no
 * cycles between files. Prints every breach and exits 1.
 */
import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** Rooms of ours that each room may import, besides itself. */
const allowedRooms: Record<string, string[]> = {
  core: [],
  migrations: [],
  server: ['core', 'migrations'],
  worker: ['core'],
  client: ['core'],
  stack: ['core', 'client'],
  cli: ['core', 'client'],
  web: ['core', 'client'],
  tests: ['core', 'client', 'server', 'worker', 'stack'],
  bench: ['core', 'client', 'stack', 'worker'],
  scripts: ['core', 'server', 'client'],
};

/** Single files that may import one room more. */
const exceptions: Record<string, string> = { 'cli/commands/up.ts': 'stack' };

/** Parts of the server and what each may import of it. */
const allowedParts: Record<string, string[]> = {
  'server/api': ['server/api', 'server/application', 'server/persistence'],
  'server/worker-api': ['server/worker-api', 'server/application', 'server/persistence'],
  'server/application': ['server/application', 'server/persistence'],
  'server/persistence': ['server/persistence', 'server/application'],
  'server/queue': ['server/queue', 'server/application'],
  'server/pubsub': ['server/pubsub', 'server/application'],
  'server/metrics': ['server/metrics', 'server/application', 'server/persistence'],
  'server/artifacts': ['server/artifacts', 'server/application'],
};

/** Packages with one home. */
const homes: [package_: RegExp, home: RegExp][] = [
  [/^bee-queue$/, /^(server\/queue|worker|bench)\//],
  [
    /^typeorm(\/|$)/,
    /^(server\/(persistence|application\/services\.ts|app|api\/context)|migrations|scripts|ormconfig|tests)/,
  ],
  [/^type-graphql$/, /^server\/api\//],
  [/^@tensorflow\//, /^worker\/(engines|workloads|runner)\//],
  [/^graphql-redis-subscriptions$/, /^server\/pubsub\//],
];

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(file) && !file.startsWith('client/generated/'));
const roomOf = (file: string): string => file.split('/')[0] ?? '';
const breaches: string[] = [];
const graph = new Map<string, string[]>();

/** The source file that an import names, or null for a package. */
function resolveImport(file: string, specifier: string): string | null {
  const room = /^@gjm\/([^/]+)\/(.+)$/.exec(specifier);
  const path = room
    ? `${room[1]}/${room[2]}`
    : specifier.startsWith('.')
      ? normalize(join(dirname(file), specifier))
      : null;
  if (path === null) return null;
  const stem = path.replace(/\.(js|jsx)$/, '');
  return [`${stem}.ts`, `${stem}.tsx`, path].find((candidate) => existsSync(candidate)) ?? path;
}

function checkFile(file: string): void {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const room = roomOf(file);
  const isTest = file.includes('.test.') || file.includes('/testing/') || file.includes('/fixtures/');
  for (const { fileName } of importedFiles) {
    const target = resolveImport(file, fileName);
    if (target === null) checkPackage(file, fileName, isTest);
    else {
      graph.set(file, [...(graph.get(file) ?? []), target]);
      const to = roomOf(target);
      const isAllowed = allowedRooms[room]?.includes(to) ?? true;
      if (to !== room && !isTest && !isAllowed && exceptions[file] !== to)
        breaches.push(`${file} imports ${target}: ${room} may not import ${to}.`);
      checkPart(file, target, isTest);
    }
  }
}

function checkPackage(file: string, name: string, isTest: boolean): void {
  if (roomOf(file) === 'core' && !isTest && name !== 'zod')
    breaches.push(`${file} imports ${name}: core imports zod only.`);
  for (const [pattern, home] of homes)
    if (pattern.test(name) && !home.test(file) && !isTest)
      breaches.push(`${file} imports ${name}, whose home is elsewhere.`);
}

function checkPart(file: string, target: string, isTest: boolean): void {
  const part = Object.keys(allowedParts).find((prefix) => file.startsWith(`${prefix}/`));
  const to = Object.keys(allowedParts).find((prefix) => target.startsWith(`${prefix}/`));
  if (part && to && !isTest && !allowedParts[part]!.includes(to))
    breaches.push(`${file} imports ${target}: ${part} may not.`);
}

/** Cycles found by depth-first search; each is told once. Types alone may be circular: they vanish. */
function findCycles(): void {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      breaches.push(`Cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? [])
      if (isValueImport(file, target)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
}

const valueImports = new Map<string, Set<string>>();

function isValueImport(file: string, target: string): boolean {
  let targets = valueImports.get(file);
  if (!targets) {
    const withoutTypes = readFileSync(file, 'utf8')
      .replace(/import\s+type\s[^;]*;/g, '')
      .replace(/export\s+type\s[^;]*;/g, '');
    const names = ts
      .preProcessFile(withoutTypes)
      .importedFiles.map(({ fileName }) => resolveImport(file, fileName));
    targets = new Set(names.filter((name) => name !== null));
    valueImports.set(file, targets);
  }
  return targets.has(target);
}

for (const file of files) checkFile(file);
findCycles();
for (const breach of breaches) console.error(breach);
console.log(`${files.length} files, ${breaches.length} breaches`);
process.exitCode = breaches.length > 0 ? 1 : 0;
