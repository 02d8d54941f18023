import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { sharedStack } from '../support/environment.js';
import { freshEmail, password } from '../support/sign-in.js';
import { newPerson, Shell, written, type Person } from './gjm.js';

const { url } = sharedStack();
let person: Person;
let stranger: Shell;
beforeAll(async () => {
  [person, stranger] = await Promise.all([newPerson(url), Shell.open(url)]);
});
afterAll(() => Promise.all([person.close(), stranger.close()]));

interface Saved {
  current: string;
  logins: Record<string, { accessToken: string; refreshToken: string; expiresAt: string }>;
}
const saved = async (shell: Shell): Promise<Saved> =>
  JSON.parse(await readFile(shell.credentials, 'utf8')) as Saved;

/** Makes the saved access token one that the server refuses, as after a quarter of an hour. */
async function spoil(shell: Shell): Promise<Saved> {
  const file = await saved(shell);
  file.logins[url]!.accessToken = 'ran.out.long-ago';
  await writeFile(shell.credentials, JSON.stringify(file));
  return file;
}

test('a sign-in is kept in a private file, and whoami says who, where and by what', async () => {
  const { shell, email } = person;
  expect((await stat(shell.credentials)).mode & 0o777).toBe(0o600);
  expect((await stat(shell.credentials.replace(/\/[^/]+$/, ''))).mode & 0o777).toBe(0o700);
  const { code, stdout } = await shell.run(['whoami']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(email)]);
  // Without GJM_URL the saved sign-in says where the server is.
  expect(await shell.run(['whoami', '--json'], { env: { GJM_URL: '' } })).toMatchObject({ code: 0 });
});

test('who is not signed in is told so, with 7', async () => {
  const ends = await Promise.all([
    stranger.run(['ls']),
    stranger.run(['whoami']),
    stranger.run(['watch', 'job_1']),
    stranger.run(['ls'], { env: { GJM_TOKEN: 'bad' } }),
    stranger.run(['login'], { env: { GJM_TOKEN: 'bad' } }),
    stranger.run(['login', '--email', person.email, '--password-stdin'], { input: 'wrong password\n' }),
    stranger.run(['login', '--link', 'gjms_no-such-token']),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([7, 7, 7, 7, 7, 7, 7]);
  for (const { stdout, stderr } of ends)
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^gjm: /)]);
});

test('a server that does not answer is told with 3, a bad address with 2', async () => {
  const away = { env: { GJM_URL: 'http://127.0.0.1:9' } };
  const ends = await Promise.all([
    person.shell.run(['ls'], away),
    person.shell.run(['watch', 'job_1'], away),
    person.shell.run(['logs', '-f', 'job_1', '--json'], away),
    person.shell.run(['ls'], { env: { GJM_URL: 'nowhere' } }),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([3, 3, 3, 2]);
  expect(JSON.parse(ends[2].stderr)).toMatchObject({ error: { code: 'UNREACHABLE', exit: 3 } });
});

test('GJM_TOKEN goes before the saved sign-in and says so; alone it needs no file', async () => {
  const token = (await saved(person.shell)).logins[url]!.accessToken;
  const both = await person.shell.run(['whoami'], { env: { GJM_TOKEN: token } });
  expect([both.code, both.stderr]).toEqual([0, expect.stringContaining('GJM_TOKEN is used')]);
  const alone = await stranger.run(['whoami', '--json'], { env: { GJM_TOKEN: token } });
  expect(alone).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(alone.stdout)).toMatchObject({
    viewer: { email: person.email },
    signedInBy: 'GJM_TOKEN',
  });
});

test('a token that ran out is renewed and the new ones are saved', async () => {
  const before = await spoil(person.shell);
  expect(await person.shell.run(['whoami'])).toMatchObject({ code: 0 });
  const after = await saved(person.shell);
  expect(after.logins[url]!.refreshToken).not.toBe(before.logins[url]!.refreshToken);
});

test('many that renew at once end nobody’s sign-in', async () => {
  const { shell } = person;
  for (const command of [['ls'], ['whoami']]) {
    await spoil(shell);
    const ends = await Promise.all(Array.from({ length: 4 }, () => shell.run(command)));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  }
  expect(await shell.run(['whoami'])).toMatchObject({ code: 0 });
});

test('on a terminal the password is asked for and not shown', async () => {
  const shell = await Shell.open(url);
  const typing = shell.onTerminal(['login']);
  await written(typing, 'E-mail: ');
  typing.type(`${person.email}\r`);
  await written(typing, 'Password: ');
  typing.type(`${password}x\u007f\r`);
  const { code, stdout } = await typing.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining(`as ${person.email}`)]);
  expect(stdout).not.toContain(password.slice(0, 4));
  const stopped = shell.onTerminal(['login', '--email', person.email]);
  await written(stopped, 'Password: ');
  stopped.type('\u0003');
  expect((await stopped.ended).code).toBe(130);
  await shell.close();
});

test('without a terminal nothing is asked for: it says how else, with 2', async () => {
  const ends = await Promise.all([
    stranger.run(['login']),
    stranger.run(['login', '--email', 'a@example.com']),
    stranger.run(['login', '--email', 'a@example.com', '--password-stdin']),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([2, 2, 2]);
});

test('logout ends the session for everyone who has it', async () => {
  const leaver = await newPerson(url);
  const { refreshToken } = (await saved(leaver.shell)).logins[url]!;
  await spoil(leaver.shell);
  expect(await leaver.shell.run(['logout'])).toMatchObject({ code: 0 });
  expect((await leaver.shell.run(['whoami'])).code).toBe(7);
  expect((await saved(leaver.shell)).logins).toEqual({});
  expect(refreshToken).toBeTruthy();
  await leaver.close();
});

test('an account is made from a script, and is signed in at once', async () => {
  const shell = await Shell.open(url);
  const email = freshEmail();
  const ask = (text: string) =>
    shell.run(['register', '--email', email, '--password-stdin', '--json'], { input: text });
  const short = await ask('short\n');
  expect(short.code).toBe(2);
  expect(JSON.parse(short.stderr)).toMatchObject({
    error: { fields: [{ path: ['password'], message: 'must have at least 8 characters' }] },
  });
  expect(await ask(`${password}\n`)).toMatchObject({ code: 0 });
  expect((await shell.run(['whoami'])).stdout).toContain(email);
  expect(await ask(`${password}\n`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('EMAIL_TAKEN'),
  });
  expect((await shell.run(['register'])).code).toBe(2);
  await shell.close();
});

test('on a terminal a new password is asked for twice', async () => {
  const shell = await Shell.open(url);
  for (const [second, code] of [
    [`${password}!`, 2],
    [password, 0],
  ] as const) {
    const typing = shell.onTerminal(['register', '--email', freshEmail()]);
    await written(typing, 'Password: ');
    typing.type(`${password}\r`);
    await written(typing, 'Once more: ');
    typing.type(`${second}\r`);
    expect((await typing.ended).code).toBe(code);
  }
  await shell.close();
});
