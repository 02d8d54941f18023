import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parse, print, separateOperations, validate, type DocumentNode } from 'graphql';
import { cloneRoot } from '@gjm/stack/clone.js';
import { budgetRules, parseLimits } from '@gjm/server/api/budgets/budget-rules.js';
import { post } from '../support/api.js';
import { sharedStack } from '../support/environment.js';
import { RawSocket } from '../support/raw-socket.js';
import { ServerBench } from '../support/server-process.js';
import { signUp, type SignedIn } from '../support/sign-in.js';
import { openStatementLog, type StatementLog } from '../support/statement-log.js';
import { until } from '../support/until.js';
import { schema } from './schema-walk.js';

let bench: ServerBench;
let log: StatementLog;
let url: string;
let person: SignedIn;
let socket: RawSocket;
let background: Set<string>;

beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  const env = await bench.install();
  log = await openStatementLog(env['DATABASE_URL'] as string);
  const quiet = { GJM_TICK_MS: '60000', GJM_LEASE_MS: '600000' };
  [url] = (await bench.startMany(1, { ...env, ...quiet, DATABASE_URL: log.url })) as [string];
  person = await signUp(url);
  socket = await new RawSocket(url).connect(person.token);
  log.statements.length = 0;
  await until(
    'the clock has run what it runs',
    () => log.statements.includes('filter-live-sessions') && log.statements.length >= 4,
  );
  // Who asks is looked up every two seconds at most, before the document is read.
  background = new Set([...log.statements, 'find-session-viewer']);
}, 30_000);

afterAll(async () => {
  socket.close();
  await bench.close();
  log.close();
});

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');
const nest = (levels: number, open: string, inner: string) =>
  `${`${open} { `.repeat(levels)}${inner}${' }'.repeat(levels)}`;

/** Too dear documents: what stands below a root field of Query, or of Subscription by way of `jobsChanged { job … }`. */
const jobParts: [what: string, part: string, fragments?: string][] = [
  // Nothing in the schema leads in a circle: the budget is counted also where a field is none.
  ['depth', `devices { ${nest(20, 'worker', 'id')} }`],
  [
    'depth through fragments',
    'devices { ...F0 }',
    `${repeat(20, (i) => `fragment F${i} on Device { worker { ...F${i + 1} } }`)} fragment F20 on Device { id }`,
  ],
  ['aliases', repeat(200, (i) => `a${i}: id`)],
  ['directives', `id ${repeat(100, () => '@include(if: true)')}`],
  ['five thousand repeated fields', 'id '.repeat(5_000)],
  ['cost', repeat(14, (i) => `e${i}: events(first: 1000) { nodes { jobId sequence at attempt } }`)],
];
const documents: [what: string, operation: string][] = jobParts.flatMap(([what, part, fragments = '']) => [
  [`${what} of a query`, `query { jobs(first: 100) { nodes { ${part} } } } ${fragments}`],
  [`${what} of a subscription`, `subscription { jobsChanged { job { ${part} } } } ${fragments}`],
]);

/** Runs one operation where it belongs and gives the codes of its errors. */
async function codesOf(operation: string, id: string): Promise<string[]> {
  if (!operation.startsWith('subscription')) {
    const { errors, data } = await post(url, operation, { token: person.token });
    expect(data).toBeNull();
    return (errors ?? []).map(({ extensions }) => extensions.code);
  }
  socket.subscribe(id, operation);
  const { payload } = await socket.next((message) => message.id === id && message.type === 'error');
  return (payload as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code);
}

describe('a document beyond its budget', () => {
  test.each(documents)('by %s is refused before any statement', async (what, operation) => {
    const before = log.statements.length;
    const started = performance.now();
    const codes = await codesOf(operation, what);
    const took = performance.now() - started;
    expect(codes).toContain('BUDGET_EXCEEDED');
    expect(log.statements.slice(before).filter((statement) => !background.has(statement))).toEqual([]);
    expect(took).toBeLessThan(1_000);
  });

  test.each([
    ['a fragment that spreads itself', 'query { jobs { nodes { ...A } } } fragment A on Job { id ...A }'],
    [
      'fragments that spread each other',
      'query { jobs { nodes { ...A } } } fragment A on Job { id ...B } fragment B on Job { ...A }',
    ],
    ['a cycle on a socket', 'subscription { jobsChanged { job { ...A } } } fragment A on Job { id ...A }'],
    ['a cycle that nothing spreads', 'query { jobs { nodes { id } } } fragment A on Job { ...A }'],
  ])('%s is one refusal', async (what, operation) => {
    expect(new Set(await codesOf(operation, what)).size).toBe(1);
    expect((await codesOf(operation, `${what} again`))[0]).toMatch(/^(BAD_USER_INPUT|BUDGET_EXCEEDED)$/);
  });

  test('of fragments that double at each step is refused in no time', async () => {
    const fragments =
      repeat(40, (i) => `fragment F${i} on Job { ...F${i + 1} ...F${i + 1} }`) +
      ' fragment F40 on Job { id }';
    const started = performance.now();
    await codesOf(`query { jobs { nodes { ...F0 } } } ${fragments}`, 'doubling');
    await codesOf(`subscription { jobsChanged { job { ...F0 } } } ${fragments}`, 'doubling');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('is refused alike when it is sent by many at once, and nobody else waits long', async () => {
    const dear = Array.from({ length: 100 }, () => codesOf(documents[8]![1], 'x'));
    const started = performance.now();
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(new Set((await Promise.all(dear)).flat())).toEqual(new Set(['BUDGET_EXCEEDED']));
  });
});

describe('bytes beyond their budget', () => {
  test('of a body are a 413 that says so', async () => {
    const { status, errors } = await post(url, `{ viewer { id } } # ${'x'.repeat(300_000)}`);
    expect([status, errors?.[0]?.extensions.code]).toEqual([413, 'BUDGET_EXCEEDED']);
  });

  test('of headers are refused, and the server lives', async () => {
    const { port } = new URL(url);
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const raw = connect(Number(port), '127.0.0.1', () =>
        raw.write(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
      );
      raw.on('data', (bytes) => (text += bytes.toString()));
      raw.on('error', () => resolve(text));
      raw.on('close', () => resolve(text));
    });
    expect(heard === '' || heard.startsWith('HTTP/1.1 431')).toBe(true);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });
});

describe('every operation of the client', () => {
  const folder = join(cloneRoot, 'client', 'operations');
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const operations = Object.entries(separateOperations(parse(text)));

  test.each(operations)('is within the budget: %s', (_name, document: DocumentNode) => {
    const again = parse(print(document), parseLimits);
    expect(validate(schema, again, [...budgetRules])).toEqual([]);
  });
});
