import assert from 'node:assert/strict';
import { createRestClient } from '../project/app/src/rest';
import { session } from '../project/app/src/session';
import { aListing, asAdministrator, tokenOf } from './people';
import { startProxy } from './proxy';

/** Follows an app from the registration of its developer to its analytics. */
async function follow(developer: string, baseUrl: string): Promise<void> {
  const rest = createRestClient(baseUrl);

  session.token = await tokenOf(developer);
  const registered = await rest.POST('/api/dev/register', {
    body: { accountUserId: developer, name: 'Rosa', email: `${developer}@example.com` },
  });
  const { id } = registered.data ?? assert.fail(JSON.stringify(registered.error));
  const again = await rest.POST('/api/dev/register', {
    body: { accountUserId: developer, name: 'Rosa', email: `${developer}@example.com` },
  });
  assert.equal(again.error?.error.code, 'DEVELOPER_EXISTS');
  await asAdministrator('mutation ($id: ID!) { verifyDeveloper(id: $id) { id } }', { id });

  const issued = await rest.POST('/api/dev/api-keys', {
    body: {
      name: 'laptop',
      scopes: ['APP_CREATE', 'APP_READ', 'APP_UPDATE', 'APP_DELETE', 'ANALYTICS_READ'],
    },
  });
  const { id: keyId, key } = issued.data ?? assert.fail(JSON.stringify(issued.error));
  session.token = key;
  assert.equal((await rest.GET('/api/dev/me')).data?.name, 'Rosa');
  assert.equal((await rest.PUT('/api/dev/me', { body: { bio: 'Counts.' } })).data?.bio, 'Counts.');
  assert.equal((await rest.GET('/api/dev/api-keys')).data?.apiKeys.length, 1);

  const created = await rest.POST('/api/dev/apps', { body: aListing(`${developer} Counts`) });
  const app = created.data ?? assert.fail(JSON.stringify(created.error));
  const path = { id: app.id };
  const websiteUrl = 'https://rosa.example/';
  assert.equal(
    (await rest.PUT('/api/dev/apps/{id}', { params: { path }, body: { websiteUrl } })).data?.websiteUrl,
    websiteUrl,
  );
  assert.equal((await rest.GET('/api/dev/apps/{id}', { params: { path } })).data?.status, 'DRAFT');
  const submitted = await rest.POST('/api/dev/apps/{id}/submit', { params: { path } });
  const { revision } = submitted.data ?? assert.fail(JSON.stringify(submitted.error));
  await asAdministrator(
    'mutation ($id: ID!, $revision: Int!) { approveApp(id: $id, revision: $revision) { id } }',
    { id: app.id, revision },
  );

  const draft = await rest.POST('/api/dev/apps', { body: aListing(`${developer} Draft`) });
  const draftPath = { id: draft.data?.id ?? assert.fail() };
  assert.equal((await rest.GET('/api/dev/apps')).data?.apps.length, 2);
  assert.equal(
    (await rest.DELETE('/api/dev/apps/{id}', { params: { path: draftPath } })).data?.deleted,
    true,
  );
  assert.equal(
    (await rest.GET('/api/dev/apps/{id}', { params: { path: draftPath } })).error?.error.code,
    'NOT_FOUND',
  );

  const found = await rest.GET('/api/apps', {
    params: { query: { search: `${developer} counts`, limit: 1 } },
  });
  assert.equal(found.data?.apps[0]?.slug, app.slug);
  assert.equal(found.data?.pagination.page, 1);
  assert.equal(
    (await rest.GET('/api/apps/{slug}', { params: { path: { slug: app.slug } } })).data?.developer.name,
    'Rosa',
  );
  assert.equal((await rest.GET('/api/apps/categories/list')).data?.categories.length, 10);
  assert.ok((await rest.GET('/api/apps/featured/list')).data?.apps.length);
  const install = { params: { path: { slug: app.slug } }, body: { installationId: 'my-workspace' } };
  assert.equal((await rest.POST('/api/apps/{slug}/install', install)).response.status, 201);
  assert.equal((await rest.POST('/api/apps/{slug}/install', install)).response.status, 200);
  assert.equal((await rest.GET('/api/dev/apps/{id}/analytics', { params: { path } })).data?.installCount, 1);

  const revoked = await rest.DELETE('/api/dev/api-keys/{id}', { params: { path: { id: keyId } } });
  assert.equal(revoked.data?.status, 'REVOKED');
  assert.equal((await rest.GET('/api/dev/me')).error?.error.code, 'API_KEY_REVOKED');
}

await follow('rosa', session.url);

const proxy = await startProxy(session.url);
await follow('rosa-behind-prism', proxy.url);
await proxy.close();
assert.deepEqual(proxy.violations, []);
assert.equal(proxy.routes.size, 18);
