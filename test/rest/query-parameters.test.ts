import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { headerOf, sendRequest } from '../support/send-request.js';
import { sharedService } from '../support/service.js';

const service = beforeTests(sharedService);
beforeAll(async () => {
  await service.anApp(await service.aDeveloper(), 'APPROVED');
});

const get = (path: string) => sendRequest(service.url, { path });

describe('a query parameter', () => {
  it('with a NUL byte is rejected by name (D6)', async () => {
    const { status, body } = await get('/api/apps?search=a%00b');
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: [{ field: 'search', code: 'invalid_characters' }] },
    });
  });

  it('that is badly encoded is read as plain text', async () => {
    expect((await get('/api/apps?search=%ff%&x=%')).status).toBe(200);
  });

  it('that is unknown is not repeated in links (D27)', async () => {
    const response = await get(`/api/apps?limit=1&x=${'a'.repeat(4000)}`);
    expect(headerOf(response, 'link')!.length).toBeLessThan(1000);
  });

  it.each(Array.from({ length: 25 }, (_, index) => index * 4 + 4))(
    'search with %i dashes finds nothing (D27)',
    async (count) => {
      for (const search of ['-'.repeat(count), `a ${'-'.repeat(count - 3)}b`, '- '.repeat(count / 2)])
        expect((await get(`/api/apps?search=${encodeURIComponent(search)}`)).status).toBe(200);
    },
  );
});
