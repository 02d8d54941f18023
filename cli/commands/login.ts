import { createClient, unwrap, type NodeClient, type Tokens } from '@gjm/client/node.js';
import type { Context } from '../context.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { findServer, originOf } from '../session/address.js';
import { openCredentials } from '../session/open-client.js';
import { ask, askSecret, readSecret } from '../session/prompt.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { withJson, type AddCommand } from './command.js';

interface LoginOptions {
  email?: string;
  passwordStdin?: boolean;
  link?: string;
}

interface LinkParts {
  token: string;
  url: string | null;
}

/** The token of a link and the server it leads to, or only the token. */
function partsOf(link: string, name: string, refusal: string): LinkParts {
  if (!URL.canParse(link)) return { token: link, url: null };
  const { origin, hash } = new URL(link);
  const token = new URLSearchParams(hash.slice(1)).get(name);
  if (!token) throw usageError(refusal);
  return { token, url: origin };
}

export const linkParts = (link: string): LinkParts =>
  partsOf(link, 'sign-in', '--link takes the sign-in link that gjm up prints, or its token.');

export const inviteParts = (link: string): LinkParts =>
  partsOf(link, 'invite', '--invite takes an invite, or the link with one.');

async function askPassword(options: LoginOptions): Promise<string> {
  if (options.passwordStdin) return readSecret();
  if (!process.stdin.isTTY)
    throw usageError('There is no terminal to ask on: use --password-stdin, --link or GJM_TOKEN.');
  return askSecret('Password: ');
}

async function enter(client: NodeClient, options: LoginOptions, { signal }: Context) {
  if (options.link !== undefined) return unwrap(await client.redeemSignInLink(linkParts(options.link).token));
  if (options.email === undefined && !process.stdin.isTTY)
    throw usageError('There is no terminal to ask on: use --email, --link or GJM_TOKEN.');
  const email = options.email ?? (await ask('E-mail: ', signal));
  const password = await askPassword(options);
  return unwrap(await client.login({ email, password, returnRefreshToken: true }));
}

/** With GJM_TOKEN there is nothing to save; it says whose token it is. */
async function tellToken(context: Context): Promise<void> {
  const { client, address } = await context.connect();
  const viewer = await client.viewer({ signal: context.signal });
  if (!viewer) throw new CommandError(exitCodes.signIn, 'UNAUTHENTICATED', 'GJM_TOKEN is not a good token.');
  if (context.output.isJson) return context.output.document({ url: address.url, viewer });
  await context.output.lines([
    `GJM_TOKEN signs in ${visibleLine(viewer.email)} at ${address.url}; nothing is saved.`,
  ]);
}

async function login(context: Context, server: string | undefined, options: LoginOptions): Promise<void> {
  const isAsked = options.email !== undefined || options.link !== undefined || server !== undefined;
  if (context.environment.token !== undefined && !isAsked) return tellToken(context);
  const named = server ?? (options.link === undefined ? null : linkParts(options.link).url);
  await signInAt(context, named, (client) => enter(client, options, context));
}

type Entered = { viewer: { email: string; role: string } };

/** Lets `come` in at the named server, or the one that is found, and keeps the sign-in. */
export async function signInAt(
  context: Context,
  named: string | null,
  come: (client: NodeClient) => Promise<Entered>,
): Promise<void> {
  const { environment, output } = context;
  const { file, locked } = openCredentials(environment);
  const url = named ? originOf(named, 'The server') : (await findServer(environment, file)).url;
  let tokens: Tokens | null = null;
  const client = createClient({ url, onTokens: (got) => (tokens = got ?? tokens) });
  try {
    const { viewer } = await come(client);
    const got = tokens as Tokens | null;
    if (!got) throw new Error('A sign-in gave no tokens.');
    await locked(async () => file.save(url, { email: viewer.email, ...got }));
    if (environment.token !== undefined) output.note('GJM_TOKEN is set and goes before what was saved now.');
    if (output.isJson) return await output.document({ url, viewer });
    await output.lines([`Signed in at ${url} as ${visibleLine(viewer.email)} (${viewer.role}).`]);
  } finally {
    client.close();
  }
}

export const addLogin: AddCommand = (program, bind) => {
  withJson(program.command('login'))
    .description('sign in and keep it for the next commands')
    .argument('[server]', 'such as http://host:4000; else the one that is found')
    .option('--email <address>', 'whose account')
    .option('--password-stdin', 'read the password from stdin')
    .option('--link <link>', 'the one-time link that gjm up prints, or its token')
    .action(bind(login));
};
