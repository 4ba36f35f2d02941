import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { doors } from '../../support/doors.js';
import { type Service, startService } from '../../support/service.js';

describe.each(doors)('registerDeveloper over %s', (door) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('registers the signed-in account as an unverified developer', async () => {
    const accountUserId = unique('ada');
    const { data, code } = await service.doors.call(
      door,
      'registerDeveloper',
      { accountUserId, name: '  Ada  ', email: `${accountUserId}@example.com`, companyName: null },
      await service.token(accountUserId),
    );
    expect(code).toBeNull();
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      accountUserId,
      name: 'Ada',
      email: `${accountUserId}@example.com`,
      companyName: null,
      websiteUrl: null,
      bio: null,
      status: 'UNVERIFIED',
      verifiedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
    });
  });
});
