import type { Database, Statement } from '../database.js';

/**
 * Those of some storage keys that no row names. The id in a key leads to its row: an upload's is the second segment of `uploads/<id>/<try>`,
 * an artifact's the last of `jobs/<job>/<attempt>/<id>`. A job's inputs are files that have such a row, so that they need no look of their own.
 */
const findOrphans: Statement = {
  name: 'find-orphans',
  text: `
SELECT key FROM unnest($1::text[]) AS key
WHERE NOT EXISTS (SELECT FROM uploads u WHERE u.id = split_part(key, '/', 2) AND u.storage_key = key)
  AND NOT EXISTS (SELECT FROM artifacts a WHERE a.id = split_part(key, '/', 4) AND a.storage_key = key)`,
};

export async function readOrphans(database: Database, keys: readonly string[]): Promise<string[]> {
  return (await database.run<{ key: string }>(findOrphans, [keys])).map(({ key }) => key);
}
