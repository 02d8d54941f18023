import type { Context } from '../context.js';
import { CommandError, exitCodes } from '../exit.js';
import { factLines } from '../text/table.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import { withJson, type AddCommand } from './command.js';

async function whoami(context: Context): Promise<void> {
  const { output, signal } = context;
  const { client, address, signedInBy } = await context.connect();
  const viewer = await client.viewer({ signal });
  if (!viewer) {
    const message = `Nobody is signed in at ${address.url}: gjm login`;
    throw new CommandError(exitCodes.signIn, 'UNAUTHENTICATED', message);
  }
  if (output.isJson) return output.document({ url: address.url, viewer, signedInBy });
  await output.lines(
    factLines(
      [
        ['Who', visibleLine(`${viewer.name} <${viewer.email}>`)],
        ['Role', viewer.role],
        ['Server', `${address.url} (from ${address.from})`],
        ['By', signedInBy],
      ],
      output.paint.dim,
    ),
  );
}

export const addWhoami: AddCommand = (program, bind) => {
  withJson(program.command('whoami'))
    .description('who is signed in, where, and by what')
    .action(bind(whoami));
};
