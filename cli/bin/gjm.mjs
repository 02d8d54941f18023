#!/usr/bin/env node
// Entry of `gjm`. Plain JavaScript: it says what to do where the compiled code is not there yet.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`gjm needs Node 20.19 or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const main = new URL('../dist/index.js', import.meta.url);
if (!existsSync(main)) {
  console.error('gjm is not built yet: run npm run build in the clone.');
  process.exit(1);
}
await import(main.href);
