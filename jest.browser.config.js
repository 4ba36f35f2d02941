import { base } from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  // A cold browser on a busy machine takes its time.
  testTimeout: 120_000,
};
