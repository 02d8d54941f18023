import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed documents for every operation in `operations/`. Paths count from the project's root, where the generator is run.
 */
const config: CodegenConfig = {
  schema: 'schema.graphql',
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
