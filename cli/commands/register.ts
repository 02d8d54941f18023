import { unwrap, type NodeClient } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { usageError } from '../exit.js';
import { originOf } from '../session/address.js';
import { ask, askNewSecret, readSecret } from '../session/prompt.js';
import { withJson, type AddCommand } from './command.js';
import { inviteParts, signInAt } from './login.js';

interface RegisterOptions {
  email?: string;
  name?: string;
  invite?: string;
  passwordStdin?: boolean;
}

async function make(client: NodeClient, options: RegisterOptions, invite: string | null, context: Context) {
  const isAsking = process.stdin.isTTY;
  if (!isAsking && (options.email === undefined || !options.passwordStdin))
    throw usageError('There is no terminal to ask on: use --email and --password-stdin.');
  const email = options.email ?? (await ask('E-mail: ', context.signal));
  const password = options.passwordStdin ? await readSecret() : await askNewSecret('Password: ');
  const { name = null } = options;
  return unwrap(await client.register({ email, password, name, invite, returnRefreshToken: true }));
}

async function register(
  context: Context,
  server: string | undefined,
  options: RegisterOptions,
): Promise<void> {
  const brought = options.invite === undefined ? null : inviteParts(options.invite);
  const named = server === undefined ? (brought?.url ?? null) : originOf(server, 'The server');
  await signInAt(context, named, (client) => make(client, options, brought?.token ?? null, context));
}

export const addRegister: AddCommand = (program, bind) => {
  withJson(program.command('register'))
    .description('make an account, sign in and keep it for the next commands')
    .argument('[server]', 'such as http://host:4000; else the one that is found')
    .option('--email <address>', 'of the account')
    .option('--name <name>', 'as others see it')
    .option('--invite <invite>', 'an invite, or the link with one; needed where registration is not open')
    .option('--password-stdin', 'read the password from stdin')
    .action(bind(register));
};
