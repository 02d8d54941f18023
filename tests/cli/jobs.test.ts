import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { JobDetails, JobRow } from '@gjm/client/node.js';
import { cloneRoot } from '@gjm/stack/clone.js';
import { sharedStack } from '../support/environment.js';
import { until } from '../support/until.js';
import { submitDiagnostic, watchToEnd } from '../support/user.js';
import { newPerson, rawControls, type Person } from './gjm.js';

let person: Person;
beforeAll(async () => {
  person = await newPerson(sharedStack().url);
});
afterAll(() => person.close());

const never = { deviceSelector: { name: 'no such device' } };
const hostile = 'na\u001b[2Jme\u001b]8;;javascript:x\u001b\\ \u009b31m \u202e<img src=x onerror=1>';

test('a submit prints the id alone, types its params, and keeps everything it was told', async () => {
  const { code, stdout, stderr } = await person.shell.run([
    ...['submit', 'diagnostic', '--params-json', '{"steps":1,"logLines":9}'],
    ...['--param', 'logLines=2', '--param', 'shouldFail=no', '--name', 'my job', '--label', 'team=vision'],
    ...['--label', 'run=a=b', '--priority', '60', '--timeout', '2m', '--max-attempts', '2'],
    ...['--device', 'cpu', '--device', 'minMemoryBytes=1kB'],
  ]);
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^job_\w{26}\n$/), '']);
  expect(await person.client.job(stdout.trim())).toMatchObject({
    name: 'my job',
    labels: { team: 'vision', run: 'a=b' },
    priority: 60,
    params: { steps: 1, logLines: 2, shouldFail: false },
  });
});

test('bad input is refused with 2 and the path of each field, and nothing is stored', async () => {
  const before = (await person.client.jobs({ first: 1 })).nodes[0]?.id;
  const submit = (...args: string[]) => person.shell.run(['submit', 'diagnostic', ...args]);
  const ends = await Promise.all([
    submit('--param', 'steps=x'),
    submit('--param', 'speed=1'),
    submit('--priority', '101'),
    submit('--device', 'colour=red'),
    submit('--file', 'image=/no/such/file'),
    person.shell.run(['submit', 'no.such', '--json']),
    submit('--param', 'steps'),
    submit('--params-json', '[1]'),
    submit('--timeout', 'soon'),
    submit('--no-such-option', '--json'),
    person.shell.run(['no-such-command']),
    person.shell.run(['show']),
  ]);
  expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 2));
  const told = [
    'params.steps: ',
    'params.speed: ',
    'priority: ',
    'deviceSelector.colour: ',
    'params.image: ',
  ];
  told.forEach((text, at) => expect(ends[at]?.stderr).toContain(`gjm: ${text}`));
  expect(JSON.parse(ends[5].stderr)).toMatchObject({
    error: { code: 'UNKNOWN_KIND', fields: [{ path: ['kind'] }] },
  });
  expect(JSON.parse(ends[9].stderr)).toMatchObject({ error: { code: 'USAGE', exit: 2 } });
  for (const { stdout } of ends) expect(stdout).toBe('');
  expect((await person.client.jobs({ first: 1 })).nodes[0]?.id).toBe(before);
});

test('the same request id gives the same job; other content is refused with 2', async () => {
  const args = ['submit', 'diagnostic', '--request-id', `shell-${Date.now()}`];
  const [first, second] = [await person.shell.run(args), await person.shell.run(args)];
  expect(second.stdout).toBe(first.stdout);
  const other = await person.shell.run([...args, '--param', 'steps=2', '--json']);
  expect([other.code, JSON.parse(other.stderr)]).toMatchObject([2, { error: { code: 'REQUEST_ID_REUSED' } }]);
});

test('--wait ends by the job, with its document as JSON', async () => {
  const [good, bad] = await Promise.all([
    person.shell.run(['submit', 'diagnostic', '--wait', '--json']),
    person.shell.run(['submit', 'diagnostic', '--param', 'shouldFail=true', '--wait']),
  ]);
  expect([good.code, JSON.parse(good.stdout)]).toMatchObject([0, { status: 'SUCCEEDED' }]);
  expect([bad.code, bad.stdout, bad.stderr]).toEqual([
    1,
    expect.stringMatching(/^job_\w+\n$/),
    expect.stringContaining('FAILED: WORKLOAD_ERROR'),
  ]);
});

test('a file is uploaded, and its id becomes the param', async () => {
  const picture = `image=${join(cloneRoot, 'samples', 'harbour.png')}`;
  const { stdout: id } = await person.shell.run([
    'submit',
    'image.upscale',
    '--file',
    picture,
    '--device',
    'gpu',
  ]);
  // On a device that is not there: what counts here is that the upload became the param.
  const job = await person.shell.json<JobDetails>(['show', id.trim()]);
  expect(job.params).toMatchObject({ image: expect.stringMatching(/^upl_/) as unknown });
  expect((await person.shell.run(['cancel', id.trim()])).code).toBe(0);
});

test('artifacts are listed and fetched whole; nothing is replaced unless told to', async () => {
  const { shell, client } = person;
  const id = await submitDiagnostic(client, { artifactBytes: 300_000 });
  await watchToEnd(client, id);
  const [artifact] = (await client.job(id))!.artifacts;
  expect((await shell.run(['artifacts', 'ls', id])).stdout).toContain('output.bin');
  const got = await shell.run(['artifacts', 'get', id, '--out', 'results']);
  expect([got.code, got.stdout]).toEqual([0, 'results/output.bin\n']);
  const path = join(shell.home, 'results', 'output.bin');
  const digest = async () =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  expect(await digest()).toBe(artifact!.sha256);
  expect(await shell.json(['artifacts', 'get', artifact!.id, '--out', 'results'])).toMatchObject([
    { isNew: false },
  ]);
  await writeFile(path, 'mine');
  const refused = await shell.run(['artifacts', 'get', id, '--out', 'results']);
  expect([refused.code, await readFile(path, 'utf8')]).toEqual([2, 'mine']);
  expect((await shell.run(['artifacts', 'get', id, 'output.bin', '--out', 'results', '--force'])).code).toBe(
    0,
  );
  expect(await digest()).toBe(artifact!.sha256);
  expect((await shell.run(['artifacts', 'get', id, 'other.bin'])).code).toBe(4);
  expect((await shell.run(['artifacts', 'get', 'art_00000000000000000000000000'])).code).toBe(4);
});

test('lists filter, page and tell when there are none', async () => {
  const { shell, client } = person;
  const label = `list-${Date.now()}`;
  const labels = { list: label };
  const ids = await Promise.all(
    ['one', 'two', 'three'].map((name) => submitDiagnostic(client, {}, { name, labels, ...never })),
  );
  const ls = (...args: string[]) => shell.json<JobRow[]>(['ls', '--label', `list=${label}`, ...args]);
  const [all, some, byText, byStatus, none] = await Promise.all([
    ls('--all'),
    ls('--limit', '2'),
    ls('--text', 'tw'),
    ls('--status', 'queued,running', '--kind', 'diagnostic'),
    ls('--status', 'FAILED'),
  ]);
  expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect([some.length, byText.map(({ name }) => name), byStatus.length, none]).toEqual([2, ['two'], 3, []]);
  const table = await shell.run(['ls', '--label', `list=${label}`]);
  expect(table.stdout).toMatch(/^ID +STATUS +NAME +KIND +NOW +DEVICE +OWNER +AGE +TIME\n(job_.*\n){3}$/);
  expect((await shell.run(['ls', '--status', 'DONE'])).code).toBe(2);
  await Promise.all(ids.map((id) => client.cancel(id)));
});

test('a queued job shows why it waits, is cancelled with a reason, and can be deleted once', async () => {
  const { shell, client } = person;
  const id = await submitDiagnostic(client, {}, never);
  expect((await shell.run(['show', id])).stdout).toMatch(/Waits.*\n +SELECTOR: /);
  expect((await shell.run(['rm', id, '--json'])).stderr).toContain('JOB_NOT_TERMINAL');
  const cancelled = await shell.run(['cancel', id, '--reason', 'not needed', '--wait']);
  expect([cancelled.code, cancelled.stdout]).toEqual([0, `${id} ended CANCELLED.\n`]);
  expect((await shell.run(['cancel', id])).code).toBe(2);
  expect((await shell.run(['rm', id])).code).toBe(0);
  expect((await shell.run(['rm', id])).code).toBe(4);
});

test('devices tell their health and which engines are offered; kinds tell their params', async () => {
  const { shell } = person;
  const [devices, asJson, kinds, kind] = await Promise.all([
    shell.run(['devices']),
    shell.json<{ devices: unknown[]; workers: { engineAudit: unknown[] }[] }>(['devices']),
    shell.run(['kinds']),
    shell.run(['kinds', 'image.upscale']),
  ]);
  expect(devices.stdout).toMatch(/HEALTH\n.*OK\n[^]*✓ wasm/);
  expect(asJson.workers[0]?.engineAudit.length).toBeGreaterThan(0);
  expect([kinds.code, kinds.stdout]).toEqual([0, expect.stringContaining('image.upscale')]);
  expect(kind.stdout).toMatch(/scale +2 \| 3 \| 4 \| 8 +2/);
});

test('other people’s text steers no terminal, in tables, pages and JSON', async () => {
  const { shell, client } = person;
  const id = await submitDiagnostic(client, {}, { name: hostile, labels: { [hostile]: hostile }, ...never });
  await client.cancel(id, hostile);
  const ends = await Promise.all([
    shell.run(['ls', '--limit', '3']),
    shell.run(['show', id]),
    shell.run(['watch', id]),
    shell.run(['show', id, '--json']),
    shell.run(['watch', id, '--json']),
    shell.run(['watch', hostile]),
    shell.run(['ls'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }),
  ]);
  const colours = ends.pop()!;
  for (const { stdout, stderr } of ends) expect(stdout + stderr).not.toMatch(rawControls);
  expect(ends[0].stdout).toContain('^[[2J');
  expect(JSON.parse(ends[3].stdout)).toMatchObject({ name: hostile });
  expect(colours.stdout).toContain('\u001b[');
  // eslint-disable-next-line no-control-regex -- nothing but colours of our own
  expect(colours.stdout.replace(/\u001b\[\d+m/g, '')).not.toMatch(rawControls);
});

test('a rerun asks for the same with every setting, and an unknown job is told with 4', async () => {
  const settings = {
    ...{ name: 'again', labels: { team: 'vision' }, priority: 60, timeoutSeconds: 120, maxAttempts: 2 },
    deviceSelector: { kind: 'cpu', labels: { rack: 'none such' } },
  };
  const first = await submitDiagnostic(person.client, { steps: 2 }, settings);
  const { code, stdout } = await person.shell.run(['rerun', first]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^job_\w{26}\n$/)]);
  const job = await person.client.job(stdout.trim());
  expect(job).toMatchObject({ ...settings, kind: 'diagnostic', params: { steps: 2 } });
  const page = (await person.shell.run(['show', first])).stdout;
  expect(page).toMatch(/Limits +2 min 0 s an attempt, 2 tries/);
  expect(page).toMatch(/Wants +kind cpu, labels \{"rack":"none such"\}/);
  expect((await person.shell.run(['rerun', 'job_x'])).code).toBe(4);
  await Promise.all([first, stdout.trim()].map((id) => person.client.cancel(id)));
});

test('devices tell who has them', async () => {
  const id = await submitDiagnostic(person.client, { steps: 1_000, stepMs: 20 });
  await until('it runs', async () => (await person.client.job(id))?.status === 'RUNNING');
  const { stdout } = await person.shell.run(['devices']);
  expect(stdout).toMatch(/IN USE BY/);
  expect(stdout).toMatch(/Shell User \d+ s/);
  await person.client.cancel(id);
});

test('completion scripts name every command', async () => {
  const { shell } = person;
  const syntax = await shell.pipe('gjm completion bash | bash -n && gjm completion bash');
  expect(syntax.code).toBe(0);
  const others = await Promise.all(['zsh', 'fish'].map((name) => shell.run(['completion', name])));
  for (const { stdout } of [syntax, ...others])
    for (const word of ['submit', 'watch', 'artifacts', '--max-attempts']) expect(stdout).toContain(word);
  expect((await shell.run(['completion', 'tcsh'])).code).toBe(2);
});
