import { runUp } from './commands/up.js';

await runUp();
