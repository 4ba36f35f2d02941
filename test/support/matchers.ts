import { expect } from '@jest/globals';

/** The form of every time. */
export const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The form of every id: a UUID, version 7. */
export const anId: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** An id that does not exist. */
export const unknownId = '01890000-0000-7000-8000-000000000000';
