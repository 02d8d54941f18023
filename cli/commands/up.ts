import type { AddCommand } from './command.js';

/** The same as `npm run up`, from what is built. It takes signals over and ends the process by itself, so it is not bound as others are. */
export const addUp: AddCommand = (program) => {
  program
    .command('up')
    .description('start the whole stack on this machine and keep it running, as npm run up does')
    .action(async () => {
      await import('@gjm/stack/up.js');
    });
};
