import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.key);

describe('updateApp over REST only', () => {
  const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    service.client.request('PUT', `/api/dev/apps/${id}`, { bearer: ada.key, body, headers });
  const codeOf = async (response: Response) =>
    ((await response.json()) as { error?: { code: string } }).error?.code ?? null;

  it.each(['"2"', ' "2" ', '"1", "2"', '"1","2" ,"3"', 'W/"2", "2"', '*'])(
    'accepts If-Match: %s for an app at revision 2 (D19)',
    async (ifMatch) => {
      const { id } = await service.anApp(ada);
      await put(id, { name: 'Two' });
      const response = await put(id, { name: 'Three' }, { 'if-match': ifMatch });
      expect(response.status).toBe(200);
      expect(response.headers.get('etag')).toBe('"3"');
    },
  );

  it.each(['"1"', '"3"', 'W/"2"', '2', '"1", "3"', '"02"', '"2.0"', '"two"', '"', '"*"'])(
    'refuses If-Match: %s for an app at revision 2 (D19, D39)',
    async (ifMatch) => {
      const { id } = await service.anApp(ada);
      await put(id, { name: 'Two' });
      const response = await put(id, { name: 'Three' }, { 'if-match': ifMatch });
      expect(response.status).toBe(409);
      expect(await codeOf(response)).toBe('REVISION_CONFLICT');
      expect(await read(id)).toMatchObject({ name: 'Two', revision: 2 });
    },
  );

  it('changes the app of the path, whatever id the body has (D4)', async () => {
    const app = await service.anApp(ada);
    const other = await service.anApp(ada);
    const response = await put(app.id, { id: other.id, name: 'Renamed' });
    expect(await response.json()).toMatchObject({ id: app.id, name: 'Renamed' });
    expect(await read(other.id)).toEqual(other);
  });
});
