import { base } from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/cluster/*.test.ts'],
  globalSetup: '<rootDir>/test/cluster/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/cluster/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  // One cluster at a time: each has a dozen processes.
  maxWorkers: 1,
  testTimeout: 600_000,
  // A failed test may leave a load behind that never ends.
  forceExit: true,
};
