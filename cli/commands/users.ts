import { unwrap, type NodeClient, type UpdateUserInput, type UserAccount } from '@gjm/client/node.js';
import { ageOf } from '@gjm/core/text/times.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import type { Context } from '../context.js';
import { notFoundError, usageError } from '../exit.js';
import type { Paint } from '../output.js';
import { tableLines, type Column } from '../text/table.js';
import { withJson, type AddCommand } from './command.js';

const agoOf = (moment: string | null, now: number): string =>
  moment === null ? 'never' : `${ageOf(now - Date.parse(moment))} ago`;

const columnsOf = (paint: Paint, now: number): Column<UserAccount>[] => [
  { title: 'E-MAIL', text: ({ email }) => visibleLine(email), least: 12 },
  { title: 'NAME', text: ({ name }) => visibleLine(name), least: 8 },
  { title: 'ROLE', text: ({ role }) => role },
  {
    title: 'STATE',
    text: ({ disabled, hasPassword }) => (disabled ? 'disabled' : hasPassword ? 'active' : 'no password'),
    paint: (text, { disabled }) => (disabled ? paint.yellow(text) : text),
  },
  { title: 'SEEN', text: ({ lastSeenAt }) => agoOf(lastSeenAt, now) },
  { title: 'SINCE', text: ({ createdAt }) => agoOf(createdAt, now), from: 80 },
  { title: 'ID', text: ({ id }) => id, from: 120 },
];

async function list(context: Context, text: string | undefined): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const accounts: UserAccount[] = [];
  for await (const account of client.eachUser(text ?? null, { signal })) accounts.push(account);
  if (output.isJson) return output.document(accounts);
  if (accounts.length === 0) return output.hint('There are no such users.');
  const { paint } = output;
  await output.lines(tableLines(columnsOf(paint, Date.now()), accounts, output.cells(), paint.dim));
}

/** An id as it is; an e-mail is looked up. */
async function idOf(client: NodeClient, user: string, signal: AbortSignal): Promise<string> {
  if (!user.includes('@')) return user;
  const email = user.trim().toLowerCase();
  for await (const account of client.eachUser(email, { signal }))
    if (account.email === email) return account.id;
  throw notFoundError('user', user);
}

async function update(context: Context, user: string, change: Omit<UpdateUserInput, 'id'>): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const id = await idOf(client, user, signal);
  const { user: account } = unwrap(await client.updateUser({ id, ...change }));
  if (output.isJson) return output.document(account);
  const state = account.disabled ? 'disabled' : 'active';
  await output.lines([`${visibleLine(account.email)} is ${account.role}, ${state}.`]);
}

function setRole(context: Context, user: string, role: string): Promise<void> {
  const wanted = role.toUpperCase();
  if (wanted !== 'ADMIN' && wanted !== 'USER') throw usageError(`A role is ADMIN or USER, not "${role}".`);
  return update(context, user, { role: wanted });
}

async function reset(context: Context, user: string): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const id = await idOf(client, user, signal);
  const { token, expiresAt } = unwrap(await client.resetPassword(id));
  const link = `${client.url}/#sign-in=${token}`;
  if (output.isJson) return output.document({ link, token, expiresAt });
  await output.lines([link]);
  output.hint(`It works once, until ${expiresAt}, and is shown only now. gjm login --link takes it as well.`);
}

export const addUsers: AddCommand = (program, bind) => {
  const group = program.command('users').description('accounts; what changes one is for an ADMIN');
  withJson(group.command('ls'))
    .description('list accounts, newest first; yours alone unless you are ADMIN')
    .argument('[text]', 'part of the name or e-mail, or an id')
    .action(bind(list));
  const acts = [
    ['disable', 'end all sessions of a user and let them in no more', { disabled: true }],
    ['enable', 'let a disabled user in again', { disabled: false }],
  ] as const;
  withJson(group.command('role'))
    .description('make a user ADMIN or USER')
    .argument('<user>', 'e-mail or id')
    .argument('<role>', 'ADMIN or USER')
    .action(bind(setRole));
  for (const [name, description, change] of acts)
    withJson(group.command(name))
      .description(description)
      .argument('<user>', 'e-mail or id')
      .action(bind((context, user: string) => update(context, user, change)));
  withJson(group.command('reset'))
    .description('take a user’s password away and print a one-time sign-in link by which they set a new one')
    .argument('<user>', 'e-mail or id')
    .action(bind(reset));
};
