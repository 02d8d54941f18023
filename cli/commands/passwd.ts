import { unwrap } from '@gjm/client/index.js';
import { visibleLine } from '@gjm/core/text/visible-text.js';
import type { Context } from '../context.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { askNewSecret, askSecret, readSecrets } from '../session/prompt.js';
import { withJson, type AddCommand } from './command.js';

/** The password that holds and the new one; an account made by a sign-in link has none yet. */
async function askBoth(hasPassword: boolean, isFromStdin: boolean) {
  if (isFromStdin) {
    const lines = await readSecrets(hasPassword ? 2 : 1);
    return { current: hasPassword ? (lines[0] ?? '') : null, new: lines.at(-1) ?? '' };
  }
  if (!process.stdin.isTTY) throw usageError('There is no terminal to ask on: use --password-stdin.');
  const current = hasPassword ? await askSecret('Current password: ') : null;
  return { current, new: await askNewSecret('New password: ') };
}

async function passwd(context: Context, options: { passwordStdin?: boolean }): Promise<void> {
  const { output, signal } = context;
  const client = await context.client();
  const hasPassword = await client.hasPassword({ signal });
  if (hasPassword === null)
    throw new CommandError(exitCodes.signIn, 'UNAUTHENTICATED', 'Nobody is signed in: gjm login');
  const passwords = await askBoth(hasPassword, options.passwordStdin ?? false);
  const { viewer } = unwrap(await client.changePassword(passwords));
  if (output.isJson) return output.document({ viewer });
  await output.lines([
    `The password of ${visibleLine(viewer.email)} was ${hasPassword ? 'changed' : 'set'}; all other sessions have ended.`,
  ]);
}

export const addPasswd: AddCommand = (program, bind) => {
  withJson(program.command('passwd'))
    .description('change your password, or set a first one; ends all your other sessions')
    .option(
      '--password-stdin',
      'read two lines from stdin: the current password, if there is one, and the new one',
    )
    .action(bind(passwd));
};
