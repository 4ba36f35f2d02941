import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorStatus } from '../../src/errors.js';
import { exampleError } from '../../src/rest/openapi/error-reference.js';
import { duringTests } from '../support/before-tests.js';
import { ErrorCauses } from './error-causes.js';

describe('an error over HTTP', () => {
  const causes = duringTests(() => ErrorCauses.prepare());

  it.each(Object.keys(errorStatus) as ErrorCode[])(
    '%s is the example of docs/errors.md and of the OpenAPI document',
    async (code) => {
      const { message, details } = exampleError(code).error;
      const { status, error } = await causes.of[code]();
      expect([errorStatus[code], 200]).toContain(status);
      expect(generalized(error)).toEqual(generalized({ code, message, details }));
    },
  );
});

/** Leaves out the request id, and the values of a message that differ from run to run. */
const generalized = ({ code, message, details }: { code: string; message: string; details: unknown }) =>
  JSON.parse(
    JSON.stringify({ code, message, details })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/https?:\/\/(127\.0\.0\.1:\d+|id\.example\.com)/g, 'ISSUER')
      .replace(/of \d+ per minute/, 'of N per minute')
      .replace(/in \d+ seconds/, 'in N seconds')
      .replace(/document has \d+/g, 'document has N'),
  );
