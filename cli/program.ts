import { Command } from 'commander';
import { addArtifacts } from './commands/artifacts.js';
import { addCancel } from './commands/cancel.js';
import type { AddCommand, Bind } from './commands/command.js';
import { addCompletion } from './commands/completion.js';
import { addDevices } from './commands/devices.js';
import { addDrain } from './commands/drain.js';
import { addKinds } from './commands/kinds.js';
import { addLogin } from './commands/login.js';
import { addLogout } from './commands/logout.js';
import { addLogs } from './commands/logs.js';
import { addLs } from './commands/ls.js';
import { addPasswd } from './commands/passwd.js';
import { addRegister } from './commands/register.js';
import { addRerun } from './commands/rerun.js';
import { addRm } from './commands/rm.js';
import { addRun } from './commands/run.js';
import { addShow } from './commands/show.js';
import { addSubmit } from './commands/submit.js';
import { addUp } from './commands/up.js';
import { addUsers } from './commands/users.js';
import { addWatch } from './commands/watch.js';
import { addWhoami } from './commands/whoami.js';

/** In the order of `--help`. */
const commands: readonly AddCommand[] = [
  addUp,
  addRegister,
  addLogin,
  addLogout,
  addWhoami,
  addPasswd,
  addSubmit,
  addRun,
  addRerun,
  addLs,
  addShow,
  addWatch,
  addLogs,
  addCancel,
  addRm,
  addArtifacts,
  addDevices,
  addDrain,
  addKinds,
  addUsers,
  addCompletion,
];

const after = `
Exit codes: 0 done, 1 the job failed or was cancelled, 2 wrong use or input, 3 server not reached,
4 not found, 5 not allowed, 7 sign in first, 8 still running at the time limit, 130 Ctrl-C.
The server is GJM_URL, else that of the saved sign-in, else the stack of this machine, else port 4000 here.`;

/** All commands. Parsing throws commander's CommanderError instead of ending the process. */
export function buildProgram(bind: Bind, writeError: (text: string) => void): Command {
  const program = new Command('gjm')
    .description('Submit jobs to GPU machines, watch them live, and fetch what they made.')
    .addHelpText('after', after)
    .exitOverride()
    .configureOutput({
      writeErr: writeError,
      outputError: (text, write) => write(text.replace(/^error: /, 'gjm: ')),
    });
  for (const add of commands) add(program, bind);
  return program;
}
