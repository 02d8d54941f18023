/**
 * Writes what is generated from the sources: `schema.graphql` from the resolvers, the client's typed operations from that. With `--check`
 * nothing is written and any difference is an error. (That the schema keeps the API contract is a test.)
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { buildApiSchema } from '@gjm/server/api/build-schema.js';

const check = process.argv.includes('--check');
const problems: string[] = [];

const schema = await buildApiSchema();
const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;
if (!check) writeFileSync('schema.graphql', printed);
else if (readFileSync('schema.graphql', 'utf8') !== printed)
  problems.push('schema.graphql is not what the resolvers say: run npm run generate.');

try {
  execFileSync(
    'node_modules/.bin/graphql-codegen',
    ['--config', 'client/codegen.ts', ...(check ? ['--check'] : [])],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
} catch (error) {
  problems.push(
    `client/generated is stale or can not be made: ${String((error as { stderr?: Buffer }).stderr)}`,
  );
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
