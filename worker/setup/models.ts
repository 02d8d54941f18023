import { setUpModels } from './model-packages.js';
import { SetupProblem } from './problem.js';

// Main of `npm run setup:models`. Exit codes: 0 done, now or before; 1 it could not be done and nothing has changed; 2 called wrongly.
process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  if (argv.length > 0) {
    console.error('Usage: npm run setup:models');
    return 2;
  }
  try {
    const folder = await setUpModels();
    if (folder === null) console.log('The models are set up already.');
    else console.log(`Set up in ${folder}. Workers that start from now on use them.`);
    return 0;
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    console.error(error.message);
    return 1;
  }
}
