const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};

const settings = {
  testEnvironment: '<rootDir>/test/support/environment.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
};

// Loading the service takes longer than most test files run. A full run therefore loads it once per suite.ts, which runs
// all test files of its folder (test/support/suite.ts). Files that are named on the command line run separately, and
// so do all files before Node 24.9, which cannot require() ES modules here.
const given = process.argv.slice(2);
const isWhole = given.every((argument) => argument.startsWith('-'));
const canShare = process.versions.node.localeCompare('24.9', 'en', { numeric: true }) >= 0;
const testFiles = isWhole && canShare ? 'suite.ts' : '*.test.ts';
const inFolders = (folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/${testFiles}`);

/** Whole processes, the tools around them, the command-line tool, attacks, concurrent callers on two gateways, random inputs, and every operation with every credential. */
const systemFolders = ['startup', 'tools', 'cli', 'attacks', 'races', 'model', 'fuzz', 'matrix'];
const elsewhere = [...systemFolders, 'browser', 'clients', 'cluster', 'scale', 'support'];

const oneDatabaseServer = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

const service = {
  ...settings,
  ...oneDatabaseServer,
  displayName: 'service',
  testMatch: [`<rootDir>/test/**/${testFiles}`],
  testPathIgnorePatterns: ['/node_modules/', ...elsewhere.map((folder) => `/test/${folder}/`)],
};
const others = [
  { ...settings, ...oneDatabaseServer, displayName: 'system', testMatch: inFolders(systemFolders) },
  { ...settings, ...oneDatabaseServer, displayName: 'browser', testMatch: inFolders(['browser']) },
  { ...settings, ...oneDatabaseServer, displayName: 'scale', testMatch: ['<rootDir>/test/scale/*.test.ts'] },
  { ...settings, displayName: 'clients', testMatch: ['<rootDir>/test/clients/*.test.ts'] },
  {
    ...settings,
    displayName: 'cluster',
    testMatch: ['<rootDir>/test/cluster/*.test.ts'],
    globalSetup: '<rootDir>/test/cluster/support/global-setup.ts',
    globalTeardown: '<rootDir>/test/cluster/support/global-teardown.ts',
  },
];

const selects = given.some((argument) => argument.startsWith('--selectProjects'));

/** `npm test` runs the project `service`; `npm run test:system` and the like select another one. */
export default {
  projects: isWhole && !selects ? [service] : [service, ...others],
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  // For tests that hang: on a busy machine some take twenty times as long as usual.
  testTimeout: 180_000,
  // One more than a small machine has cores: some tests wait more than they work.
  maxWorkers: 3,
};
