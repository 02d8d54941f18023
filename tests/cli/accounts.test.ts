import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedStack } from '../support/environment.js';
import { ServerBench } from '../support/server-process.js';
import { password } from '../support/sign-in.js';
import { newPerson, type Shell, written, type Person } from './gjm.js';

let bench: ServerBench;
let url: string;
let root: Person;
beforeAll(async () => {
  bench = new ServerBench(sharedStack());
  [url] = (await bench.startMany(1, await bench.install())) as [string];
  root = await newPerson(url); // the first account is ADMIN
});
afterAll(async () => {
  await root.close();
  await bench.close();
});

const fresh = 'battery staple';
const enter = (shell: Shell, email: string, word: string) =>
  shell.run(['login', '--email', email, '--password-stdin'], { input: `${word}\n` });

test('passwd changes the password on a terminal, and the shell stays signed in', async () => {
  const person = await newPerson(url);
  const typing = person.shell.onTerminal(['passwd']);
  for (const [question, answer] of [
    ['Current password: ', password],
    ['New password: ', fresh],
    ['Once more: ', fresh],
  ] as const) {
    await written(typing, question);
    typing.type(`${answer}\r`);
  }
  const { code, stdout } = await typing.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining(`of ${person.email} was changed`)]);
  expect(stdout).not.toContain(fresh.slice(0, 4));
  expect(await person.shell.run(['whoami'])).toMatchObject({ code: 0 });
  expect(await enter(person.shell, person.email, password)).toMatchObject({ code: 7 });
  expect(await enter(person.shell, person.email, fresh)).toMatchObject({ code: 0 });
  await person.close();
});

test('passwd in a script takes two lines; a wrong current one is told with 7, a short new one with 2', async () => {
  const person = await newPerson(url);
  const send = (input: string) => person.shell.run(['passwd', '--password-stdin'], { input });
  expect(await send(`wrong\n${fresh}\n`)).toMatchObject({ code: 7, stdout: '' });
  expect(await send(`${password}\nshort\n`)).toMatchObject({ code: 2 });
  expect(await send(`${password}\n`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2 passwords'),
  });
  expect((await person.shell.run(['passwd'])).code).toBe(2);
  expect(await send(`${password}\n${fresh}\n`)).toMatchObject({ code: 0 });
  await person.close();
});

test('an ADMIN lists users, promotes, disables and enables; a USER sees only themselves', async () => {
  const person = await newPerson(url);
  const { shell } = root;
  const state = async () =>
    (
      await shell.json<{ email: string; role: string; disabled: boolean }[]>(['users', 'ls', person.email])
    )[0];
  expect(await state()).toMatchObject({ email: person.email, role: 'USER', disabled: false });
  expect((await shell.run(['users', 'ls'])).stdout).toContain(root.email);
  expect((await person.shell.run(['users', 'ls'])).stdout).not.toContain(root.email);
  expect(await person.shell.run(['users', 'disable', root.email])).toMatchObject({ code: 4 });
  expect(await shell.run(['users', 'role', person.email, 'admin'])).toMatchObject({ code: 0 });
  expect((await state())?.role).toBe('ADMIN');
  expect(await shell.run(['users', 'role', person.email, 'boss'])).toMatchObject({ code: 2 });
  expect(await shell.run(['users', 'disable', person.email])).toMatchObject({ code: 0 });
  expect((await person.shell.run(['whoami'])).code).toBe(7);
  expect(await shell.run(['users', 'role', root.email, 'USER'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('last active ADMIN'),
  });
  expect(await shell.run(['users', 'enable', person.email])).toMatchObject({ code: 0 });
  expect(await enter(person.shell, person.email, password)).toMatchObject({ code: 0 });
  await person.close();
});

test('the link of a reset signs in once, and passwd then sets a password without the old one', async () => {
  const person = await newPerson(url);
  const { link } = await root.shell.json<{ link: string }>(['users', 'reset', person.email]);
  expect((await person.shell.run(['whoami'])).code).toBe(7);
  expect(await person.shell.run(['login', '--link', link])).toMatchObject({ code: 0 });
  expect(await person.shell.run(['passwd', '--password-stdin'], { input: `${fresh}\n` })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('was set'),
  });
  expect(await enter(person.shell, person.email, fresh)).toMatchObject({ code: 0 });
  expect(await person.shell.run(['login', '--link', link])).toMatchObject({ code: 7 });
  await person.close();
});
