import type { Context } from '../context.js';
import { openCredentials } from '../session/open-client.js';
import { withJson, type AddCommand } from './command.js';

async function logout(context: Context): Promise<void> {
  const { environment, output, signal } = context;
  const { file } = openCredentials(environment);
  const { client, address } = await context.connect();
  const { url } = address;
  const was = file.loginOf(url);
  try {
    // A token that ran out would not tell the server which session to end.
    if (await client.viewer({ signal })) await client.logout();
  } finally {
    if (environment.token === undefined) file.forget(url);
  }
  if (output.isJson) return output.document({ url });
  const isKept = environment.token !== undefined;
  await output.lines([
    isKept
      ? `The session of GJM_TOKEN at ${url} is over.`
      : was
        ? `Signed out of ${url}.`
        : `There was no sign-in at ${url}.`,
  ]);
}

export const addLogout: AddCommand = (program, bind) => {
  withJson(program.command('logout')).description('end the session and forget it').action(bind(logout));
};
