import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedStack } from '../support/environment.js';
import { submitDiagnostic } from '../support/user.js';
import { newPerson, written, type Person } from './gjm.js';

let person: Person;
beforeAll(async () => {
  person = await newPerson(sharedStack().url);
});
afterAll(() => person.close());

const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
// eslint-disable-next-line no-control-regex -- the two above
const screens = /\u001b\[\?1049h|\u001b\[\?7h\u001b\[\?25h\u001b\[\?1049l/;

test('on a terminal a job has a page of its own, and the screen is given back with how it ended', async () => {
  const params = { steps: 1_000, stepMs: 20, logLines: 5 };
  const id = await submitDiagnostic(person.client, params, { name: 'shown live' });
  const watching = person.shell.onTerminal(['watch', id]);
  await written(watching, '● RUNNING');
  await written(watching, 'line 5');
  await person.client.cancel(id);
  const { code, stdout } = await watching.ended;
  expect(code).toBe(1);
  const [before, page = '', after] = stdout.split(screens);
  expect(before).toBe('');
  for (const text of ['shown live', '● RUNNING', '░', 'line 5', 'Ctrl-C stops watching'])
    expect(page).toContain(text);
  // One picture replaces the other: the page is never cleared as a whole.
  expect(page).not.toContain('\u001b[2J');
  expect(after).toContain('⊘ CANCELLED');
});

test('Ctrl-C gives the screen back, says that the job goes on, and ends with 130', async () => {
  const id = await submitDiagnostic(person.client, { steps: 1_000, stepMs: 20 });
  const watching = person.shell.onTerminal(['watch', id]);
  await written(watching, 'RUNNING');
  watching.type('\u0003');
  const { code, stdout } = await watching.ended;
  expect(code).toBe(130);
  expect(stdout.endsWith(`${leave}Detached. ${id} goes on: gjm watch ${id}\r\n`)).toBe(true);
  await person.client.cancel(id);
});

test('a failed job leaves its last lines and why on the terminal, and ends with 1', async () => {
  const submitted = person.shell.onTerminal([
    ...['submit', 'diagnostic', '--param', 'logLines=3', '--param', 'shouldFail=true', '--watch'],
  ]);
  const { code, stdout } = await submitted.ended;
  expect(code).toBe(1);
  expect(stdout.slice(stdout.lastIndexOf(leave))).toMatch(/line 3\r\n.*✗ FAILED.*WORKLOAD_ERROR/);
});

test('a submit on a terminal says what to do next; TERM=dumb and NO_COLOR are obeyed', async () => {
  const { stdout } = await person.shell.onTerminal(['submit', 'diagnostic']).ended;
  const id = /job_\w+/.exec(stdout)?.[0] ?? '';
  for (const next of ['watch', 'logs -f', 'cancel']) expect(stdout).toContain(`gjm ${next} ${id}`);
  const dumb = await person.shell.onTerminal(['watch', id], { TERM: 'dumb', NO_COLOR: '1' }).ended;
  expect([dumb.code, dumb.stdout]).toEqual([0, expect.stringMatching(/Z (QUEUED|RUNNING|SUCCEEDED)/)]);
  expect(dumb.stdout).not.toContain('\u001b');
});

test('a table fits the terminal', async () => {
  await submitDiagnostic(person.client, {}, { name: 'long '.repeat(40) });
  const { stdout } = await person.shell.onTerminal(['ls'], { NO_COLOR: '1' }).ended;
  const lines = stdout.trimEnd().split('\r\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(100);
});
