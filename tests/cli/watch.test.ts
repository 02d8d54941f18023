import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JobEvent } from '@gjm/client/node.js';
import { sharedStack } from '../support/environment.js';
import { faultsOfSequence } from '../support/sequence.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { newPerson, written, type Person } from './gjm.js';

let person: Person;
let stranger: Person;
beforeAll(async () => {
  const { url } = sharedStack();
  [person, stranger] = await Promise.all([newPerson(url), newPerson(url)]);
});
afterAll(() => Promise.all([person.close(), stranger.close()]));

const never = { deviceSelector: { name: 'no such device' } };
const endless = { steps: 1_000, stepMs: 20 };
const slow = { steps: 20, stepMs: 50 };
const isRunning = (id: string) =>
  until('the job runs', async () => (await person.client.job(id))?.status === 'RUNNING');

test.each([
  ['succeeds', slow, {}, 'SUCCEEDED', 0],
  ['fails', { ...slow, shouldFail: true }, {}, 'FAILED', 1],
  ['crashes', { steps: 1, crash: true }, { maxAttempts: 1 }, 'FAILED', 1],
  ['runs too long', { hang: true }, { timeoutSeconds: 1 }, 'FAILED', 1],
] as const)(
  'the watch of a job that %s ends by it, begun before and after',
  async (_name, params, input, status, exit) => {
    const id = await submitDiagnostic(person.client, params, input);
    const before = await person.shell.run(['watch', id]);
    const [after, records] = await Promise.all([
      person.shell.run(['watch', id]),
      person.shell.run(['watch', id, '--json']),
    ]);
    expect([before.code, after.code, records.code]).toEqual([exit, exit, exit]);
    expect(before.stdout.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`^\\S+Z ${status}`));
    expect(after.stdout).toMatch(new RegExp(`^\\S+Z ${status}.*\n$`));
    const events = records.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JobEvent);
    expect(faultsOfSequence(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ __typename: 'JobStatusEvent', status });
  },
);

test.each([
  ['queued', {}, never],
  ['running', endless, {}],
])(
  'the watch of a %s job that is cancelled ends with 1, begun before and after',
  async (_name, params, input) => {
    const id = await submitDiagnostic(person.client, params, input);
    if (params === endless) await isRunning(id);
    const watching = person.shell.start(['watch', id]);
    await written(watching, /Z (QUEUED|RUNNING)/);
    expect((await person.shell.run(['cancel', id, '--reason', 'enough'])).code).toBe(0);
    const before = await watching.ended;
    const after = await person.shell.run(['watch', id]);
    expect([before.code, after.code]).toEqual([1, 1]);
    expect(before.stdout).toMatch(/CANCEL asked by Shell User: enough\n[^]*Z CANCELLED/);
    expect(after.stdout).toMatch(/^\S+Z CANCELLED/);
  },
);

test('unknown, malformed, foreign and deleted ids end within 2 s with 4', async () => {
  const limitMs = 2_000;
  const foreign = await submitDiagnostic(stranger.client, {}, never);
  const deleted = await submitDiagnostic(person.client, {});
  await watchToEnd(person.client, deleted);
  await person.client.deleteJob(deleted);
  for (const id of ['job_00000000000000000000000000', 'not/an id', '', '9'.repeat(3_000), foreign, deleted]) {
    for (const command of [['watch'], ['logs', '-f']]) {
      const run = () => person.shell.run([...command, id]);
      let ended = await run();
      // On a machine that is busy otherwise the quickest of a few tries tells that nothing is waited for.
      for (let tries = 1; tries < 4 && ended.ms > limitMs; tries += 1) ended = await run();
      const { code, stdout, stderr, ms } = ended;
      expect([code, stdout, stderr]).toEqual([4, '', expect.stringMatching(/^gjm: There is no job /)]);
      expect(ms).toBeLessThan(limitMs);
    }
  }
  await stranger.client.cancel(foreign);
});

test('a job that is deleted while it is watched ends the watch by what it was', async () => {
  const id = await submitDiagnostic(person.client, {}, never);
  const watching = person.shell.start(['watch', id]);
  await written(watching, 'QUEUED');
  await person.client.cancel(id);
  await person.client.deleteJob(id);
  // Whether the last event came through or only its absence, it is no success.
  expect([1, 4]).toContain((await watching.ended).code);
});

test('a wait that is over ends with 8 and leaves the job alone', async () => {
  const id = await submitDiagnostic(person.client, endless);
  const [watched, records] = await Promise.all([
    person.shell.run(['watch', id, '--timeout', '0.3s']),
    person.shell.run(['watch', id, '--timeout', '0.3s', '--json']),
  ]);
  expect([watched.code, records.code]).toEqual([8, 8]);
  expect(watched.stderr).toContain(`${id} is still running`);
  expect(JSON.parse(records.stderr)).toMatchObject({ error: { code: 'STILL_RUNNING' } });
  await isRunning(id);
  expect((await person.shell.run(['cancel', id, '--wait'])).code).toBe(0);
});

test('Ctrl-C detaches with 130, says so, and the job goes on', async () => {
  const id = await submitDiagnostic(person.client, { ...endless, logLines: 1 });
  const watching = person.shell.start(['watch', id]);
  const records = person.shell.start(['watch', id, '--json']);
  const logs = person.shell.start(['logs', '-f', id]);
  const submitted = person.shell.start(['submit', 'diagnostic', '--param', 'hang=true', '--wait']);
  await Promise.all([written(watching, 'RUNNING'), written(records, 'RUNNING'), written(logs, 'line 1')]);
  await written(submitted, 'job_');
  for (const running of [watching, records, logs, submitted]) running.kill('SIGINT');
  const ends = await Promise.all([watching.ended, records.ended, logs.ended, submitted.ended]);
  expect(ends.map(({ code }) => code)).toEqual([130, 130, 130, 130]);
  expect(ends[0].stderr).toContain(`${id} goes on`);
  expect(JSON.parse(ends[1].stderr)).toMatchObject({ error: { code: 'INTERRUPTED', exit: 130 } });
  const other = ends[3].stdout.trim();
  for (const job of [id, other]) {
    expect((await person.client.job(job))?.status).not.toBe('CANCELLED');
    await person.client.cancel(job);
  }
});

test('SIGTERM ends a watch and a wait at once with 143, and the jobs go on', async () => {
  const id = await submitDiagnostic(person.client, endless);
  const watching = person.shell.start(['watch', id]);
  const submitted = person.shell.start(['submit', 'diagnostic', '--param', 'hang=true', '--wait']);
  await Promise.all([written(watching, 'RUNNING'), written(submitted, 'job_')]);
  for (const running of [watching, submitted]) running.kill('SIGTERM');
  const ends = await Promise.all([watching.ended, submitted.ended]);
  expect(ends.map(({ code }) => code)).toEqual([143, 143]);
  for (const job of [id, ends[1].stdout.trim()]) {
    expect((await person.client.job(job))?.status).not.toBe('CANCELLED');
    await person.client.cancel(job);
  }
});
