import { existsSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed documents for every operation in `operations/`. Paths count from the project's root, where the generator is run. The generated
 * `schema.graphql` is what our server speaks; the contract stands in for it while there is none.
 */
const config: CodegenConfig = {
  schema: existsSync('schema.graphql') ? 'schema.graphql' : 'tests/contract/contract.graphql',
  documents: 'client/operations/*.graphql',
  emitLegacyCommonJSImports: false,
  generates: {
    'client/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: {
          DateTime: 'string',
          BigInt: 'number | string',
          JSONObject: 'Record<string, unknown>',
        },
      },
    },
  },
};

export default config;
