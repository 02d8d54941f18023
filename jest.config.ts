import type { Config } from 'jest';

/**
 * Tests run the TypeScript sources through swc as native ES modules; what they start as processes is the compiled code in each room's
 * dist. Import names of our rooms (`@gjm/core/job/status.js`) are mapped to sources, so that both see one module.
 */
const common: Config = {
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: {
    '^@gjm/(core|migrations|server|worker|client|stack|cli)/(.*)\\.js$': '<rootDir>/$1/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

const config: Config = {
  maxWorkers: 2,
  testSequencer: '<rootDir>/dist/scripts/longest-first.js',
  testTimeout: 60_000,
  projects: [
    // Pure parts, and parts that start what they need themselves.
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{core,server,worker,client,stack,cli,scripts,web/src}/**/*.test.ts'],
    },
    // Against one warm stack, or a stack of the file's own where it breaks things.
    {
      ...common,
      displayName: 'system',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      globalSetup: '<rootDir>/tests/dist/support/global-setup.js',
      globalTeardown: '<rootDir>/tests/dist/support/global-teardown.js',
    },
  ],
};

export default config;
