const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** Settings of all tests. */
export const base = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  // For tests that hang: on a busy machine some take twenty times as long as usual.
  testTimeout: 180_000,
  // One more than a small machine has cores: some tests wait more than they work.
  maxWorkers: 3,
};

// Loading the service takes longer than most test files run. A full run therefore loads it once per suite.ts, which runs
// all test files of its folder (test/support/suite.ts). Files that are named on the command line run separately, and
// so do all files before Node 24.9, which cannot require() ES modules here.
const isWhole = process.argv.slice(2).every((argument) => argument.startsWith('-'));
const canShare = process.versions.node.localeCompare('24.9', 'en', { numeric: true }) >= 0;
const testFiles = isWhole && canShare ? 'suite.ts' : '*.test.ts';

/** The folders of `npm run test:system`: whole processes, concurrent callers on two gateways, random inputs, slow and cut connections, and every operation with every credential. */
const systemFolders = ['startup', 'races', 'model', 'fuzz', 'matrix', 'server'];
const notHere = ['/node_modules/', '/test/browser/', '/test/clients/', '/test/cluster/', '/test/support/'];

export const system = {
  ...base,
  testMatch: systemFolders.map((folder) => `<rootDir>/test/${folder}/**/${testFiles}`),
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

export default {
  ...system,
  testMatch: [`<rootDir>/test/**/${testFiles}`],
  // Files of the system tests can be named here too.
  testPathIgnorePatterns: isWhole
    ? [...notHere, ...systemFolders.map((folder) => `/test/${folder}/`)]
    : notHere,
};
