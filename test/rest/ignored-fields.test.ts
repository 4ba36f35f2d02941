import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

interface ErrorBody {
  error: { code: string; message: string; details: { field: string; code: string }[] };
}

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());
const draft = beforeTests(() => service.anApp(ada));

const send = async (
  body: string,
  headers: Record<string, string> = {},
  [method = '', path = ''] = ['POST', '/api/dev/apps'],
) => {
  const response = await service.client.request(method, path, { bearer: ada.key, body, headers });
  return { response, status: response.status, json: (await response.json()) as ErrorBody & AppJson };
};

describe('a field that is no input of the operation', () => {
  const put = (fields: object) => send(JSON.stringify(fields), {}, ['PUT', `/api/dev/apps/${draft.id}`]);
  const read = () => service.must<AppJson>('myApp', { id: draft.id }, ada.token);

  it('changes nothing and is listed in X-Ignored-Fields if the resource has it (D4)', async () => {
    const before = await read();
    const ignored = {
      environment: 'staging',
      status: 'APPROVED',
      featured: true,
      id: 'another',
      slug: 'another',
      installCount: 99,
      reviewCount: 99,
      averageRating: 5,
      revision: 99,
      submittedAt: null,
      approvedAt: 'now',
      rejection: {},
      createdAt: 0,
      updatedAt: 0,
      developer: { name: 'Eve' },
    };
    const { response, status, json } = await put(ignored);
    expect(status).toBe(200);
    expect(response.headers.get('x-ignored-fields')).toBe(Object.keys(ignored).join(', '));
    expect(json).toEqual(before);
    expect(await read()).toEqual(before);
  });

  it('does not prevent a client from sending back the whole resource (D4)', async () => {
    const before = await read();
    const { response, status, json } = await put({ ...before, name: 'Sent back' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'Sent back', revision: before.revision + 1 });
    expect(response.headers.get('x-ignored-fields')).toContain('environment');
  });

  it.each([
    ['a new app', 'POST', '/api/dev/apps', aListing({ status: 'APPROVED', id: 'x', developer: {} }), 201],
    [
      'a new key',
      'POST',
      '/api/dev/api-keys',
      { name: 'k', scopes: ['APP_READ'], key: 'mine', status: 'x', id: 'x' },
      201,
    ],
    [
      'a profile',
      'PUT',
      '/api/dev/me',
      { accountUserId: 'x', status: 'VERIFIED', id: 'x', verifiedAt: 'now' },
      200,
    ],
  ])('is ignored and listed for %s, too (D4)', async (_, method, path, fields, expected) => {
    const { response, status, json } = await send(JSON.stringify(fields), {}, [method, path]);
    expect(status).toBe(expected);
    const named = response.headers.get('x-ignored-fields')?.split(', ');
    expect(named).toContain('status');
    expect(named).toContain('id');
    expect(json.id).not.toBe('x');
    expect(json).not.toMatchObject({ key: 'mine' });
  });

  it('is ignored and listed if a submission contains the whole app (D4)', async () => {
    const app = await service.anApp(ada);
    const { response, status, json } = await send(JSON.stringify(app), {}, [
      'POST',
      `/api/dev/apps/${app.id}/submit`,
    ]);
    expect([status, json.status]).toEqual([200, 'PENDING']);
    expect(response.headers.get('x-ignored-fields')).toContain('name');
  });

  it('is the only reason for X-Ignored-Fields (D4)', async () => {
    expect((await put({})).response.headers.get('x-ignored-fields')).toBeNull();
  });

  it.each([
    'nmae',
    'Name',
    'key',
    'email',
    'password',
    'expectedRevisions',
    'constructor',
    '__proto__',
    'a.b',
    '',
  ])('is rejected by name if it is unknown: "%s" (D4)', async (field) => {
    const body = `{"name":"New",${JSON.stringify(field)}:"x"}`;
    const { status, json } = await send(body, {}, ['PUT', `/api/dev/apps/${draft.id}`]);
    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(json.error.details).toMatchObject([{ field, code: 'unknown_field' }]);
    expect((await read()).name).not.toBe('New');
  });

  it('is rejected even if a header has the same meaning (D4, D19)', async () => {
    const headers = { 'if-match': `"${(await read()).revision}"` };
    const { status, json } = await send('{"name":"New","expectedRevisions":[1]}', headers, [
      'PUT',
      `/api/dev/apps/${draft.id}`,
    ]);
    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(json.error.details).toMatchObject([{ field: 'expectedRevisions', code: 'unknown_field' }]);
    expect((await read()).name).not.toBe('New');
  });

  it('is rejected with its path if it is misspelled inside a list (D4, D7)', async () => {
    const screenshots = [
      { url: 'https://pictures.example/1.png', captoin: 'One' },
      { url: 'https://pictures.example/2.png', Order: 1 },
      { ulr: 'https://pictures.example/3.png' },
    ];
    const { status, json } = await put({ screenshots, descripton: 'x' });
    expect(status).toBe(400);
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual([
      'descripton: unknown_field',
      'screenshots.0.captoin: unknown_field',
      'screenshots.1.Order: unknown_field',
      'screenshots.2.ulr: unknown_field',
      'screenshots.2.url: required',
    ]);
  });

  it('is rejected together with all other problems (D6)', async () => {
    const { json } = await send('{"name":"","nmae":"x","status":"DRAFT","category":"GAMES"}');
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual([
      'category: invalid_value',
      'description: required',
      'environment: required',
      'name: too_short',
      'nmae: unknown_field',
    ]);
  });

  it.each([
    ['an emoji at the cut', { [`${'a'.repeat(99)}😀`]: 1 }],
    ['a long name', { [`${'漢'.repeat(97)}0`]: 1 }],
    [
      'fifty long names',
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'漢'.repeat(97)}${at}`, 1])),
    ],
  ])('is listed in a short, valid header, and the install counts: %s (D30)', async (_, body) => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const response = await service.client.request('POST', `/api/apps/${slug}/install`, { body });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-ignored-fields')!.length).toBeLessThan(2100);
  });
});
