import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobEvent } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { newPerson, rawControls, type Person } from './gjm.js';

let person: Person;
beforeAll(async () => {
  person = await newPerson(sharedStack().url);
});
afterAll(() => person.close());

const linesTo = (last: number): string => Array.from({ length: last }, (_, n) => `line ${n + 1}\n`).join('');

test('logs -f from the first moment and logs of a finished job print the same, all of it, and end', async () => {
  const id = await submitDiagnostic(person.client, { logLines: 20_000, steps: 5, stepMs: 50 });
  const followed = await person.shell.run(['logs', '-f', id]);
  const [late, stored] = await Promise.all([
    person.shell.run(['logs', '-f', id]),
    person.shell.run(['logs', id, '--stream', 'stdout']),
  ]);
  for (const { code, stdout, stderr } of [followed, late, stored]) {
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(linesTo(20_000));
  }
});

test('the log of a failed job is printed too; logs says nothing of the job’s fate', async () => {
  const id = await submitDiagnostic(person.client, { logLines: 2, shouldFail: true });
  const { code, stdout } = await person.shell.run(['logs', '-f', id]);
  expect([code, stdout]).toEqual([0, linesTo(2)]);
});

test('records are NDJSON, --after resumes by number, and filters hold', async () => {
  const id = await submitDiagnostic(person.client, { crash: true, logLines: 3 }, { maxAttempts: 2 });
  await watchToEnd(person.client, id);
  const records = async (...args: string[]): Promise<JobEvent[]> => {
    const { code, stdout } = await person.shell.run(['logs', id, '--json', ...args]);
    expect(code).toBe(0);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JobEvent);
  };
  const all = await records();
  expect(all.every(({ __typename }) => __typename === 'JobLogEvent')).toBe(true);
  const first = all[0]!.sequence;
  expect(await records('--after', String(first))).toEqual(all.slice(1));
  expect(await records('--after', String(first), '--follow')).toEqual(all.slice(1));
  const second = await records('--attempt', '2', '--stream', 'stdout');
  expect(second.map((event) => event.__typename === 'JobLogEvent' && event.text).join('')).toBe(linesTo(3));
  expect((await person.shell.run(['logs', id, '--stream', 'other'])).code).toBe(2);
});

test('what a job prints steers no terminal', async () => {
  const bytes = Buffer.from(
    '\u001b[2J\u001b]0;title\u0007\u001b[31mred\u001b[0m \u009b5A\u0000\u0008end\n',
  ).toString('base64');
  const id = await submitDiagnostic(person.client, { logBytes: bytes });
  const ends = await Promise.all([
    person.shell.run(['logs', '-f', id]),
    person.shell.run(['logs', '-f', id, '--json']),
    person.shell.run(['logs', '-f', id], { env: { FORCE_COLOR: '1' } }),
  ]);
  for (const { code, stdout } of ends) {
    expect([code, stdout]).toEqual([0, expect.stringContaining('end')]);
    expect(stdout).not.toMatch(rawControls);
  }
  expect(ends[0].stdout).toContain('^[[2J');
});

test('a reader that goes away ends it without a word', async () => {
  const id = await submitDiagnostic(person.client, { logLines: 100_000 });
  const script = (command: string) => `${command} | head -1; echo "\${PIPESTATUS[0]}"`;
  const [logs, list, watch] = await Promise.all([
    person.shell.pipe(script(`gjm logs -f ${id}`)),
    person.shell.pipe(script('gjm ls --all --json')),
    person.shell.pipe(script(`gjm watch ${id} --json`)),
  ]);
  expect(logs.stdout).toBe('line 1\n141\n');
  expect(list.stdout).toMatch(/^\[\n(0|141)\n$/);
  expect(watch.stdout).toMatch(/^\{.*\}\n141\n$/);
  for (const { stderr } of [logs, list, watch]) expect(stderr).toBe('');
});
