import { base } from './jest.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/clients/*.test.ts'],
  // A test may compile a whole project on a busy machine.
  testTimeout: 120_000,
};
