const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** What the quick tests and the browser tests share. */
export const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  testTimeout: 60_000,
  // One more than a small machine has cores: some tests wait more than they work.
  maxWorkers: 3,
};

// To load the service takes longer than most files take to test it. The whole run therefore goes by folders, each on
// modules that are loaded once (test/support/suite.ts); who names files gets those. Node before 24.9 cannot.
const isWhole = process.argv.slice(2).every((argument) => argument.startsWith('-'));
const canShare = process.versions.node.localeCompare('24.9', 'en', { numeric: true }) >= 0;

export default {
  ...base,
  testMatch: isWhole && canShare ? ['<rootDir>/test/**/suite.ts'] : ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/browser/', '/test/support/'],
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
