import { setUpDawn } from './dawn.js';
import { SetupProblem } from './problem.js';

// Main of `npm run setup:webgpu`. Exit codes: 0 done, now or before; 1 it could not be done and nothing has changed; 2 called wrongly.
process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  if (argv.length > 0) {
    console.error('Usage: npm run setup:webgpu');
    return 2;
  }
  try {
    const done = await setUpDawn();
    if (!done) console.log('The engine webgpu is set up already.');
    else console.log(`Set up in ${done.folder}. Workers that start from now on use it.`);
    for (const { name, isSoftware, description } of done?.adapters ?? [])
      console.log(`${isSoftware ? 'Computes on the CPU' : 'GPU'}: ${name}. ${description}`);
    if (done?.adapters.length === 0)
      console.log('No adapter: Vulkan needs its loader (libvulkan1) and the driver of the GPU.');
    return 0;
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    console.error(error.message);
    return 1;
  }
}
