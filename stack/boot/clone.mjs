import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute, real path of the clone, without a slash at the end. */
export const clone = realpathSync(fileURLToPath(new URL('../../', import.meta.url)));

/** SHA-256 in hex. */
export const digest = (text) => createHash('sha256').update(text).digest('hex');
