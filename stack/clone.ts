import { fileURLToPath } from 'node:url';

/** Absolute path of the clone; this file runs from `<clone>/stack/dist/`, and in tests from `<clone>/stack/`. */
export const cloneRoot = fileURLToPath(
  new URL(import.meta.url.endsWith('/dist/clone.js') ? '../..' : '..', import.meta.url),
).replace(/\/$/, '');
