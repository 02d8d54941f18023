import { chooseEngine } from '../engines/choose.js';

// Main of a process of its own, since a library is loaded for life: writes the audit row of the engine it is told as JSON.
const { audit } = await chooseEngine(process.argv.slice(2));
process.stdout.write(JSON.stringify(audit[0]));
