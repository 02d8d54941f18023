import type { Config } from 'jest';

/**
 * Tests run the TypeScript sources through swc as native ES modules; what they start as processes is the compiled code in each room's
 * dist. Import names of our rooms (`@gjm/core/job/status.js`) are mapped to sources, so that both see one module.
 */
const config: Config = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{core,server,worker,client,stack,tests}/**/*.test.ts'],
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
    '^@gjm/(core|migrations|server|worker|client|stack)/(.*)\\.js$': '<rootDir>/$1/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  maxWorkers: 2,
  testTimeout: 60_000,
};

export default config;
