import assert from 'node:assert/strict';
import { GraphQLClient } from 'graphql-request';
import { AppPageDocument, MyAppsDocument } from '../project/app/src/documents';
import { hasCode } from '../project/app/src/errors';
import { query } from '../project/app/src/fetch';
import { loadAppPage } from '../project/app/src/request';
import { session } from '../project/app/src/session';

const missing = await loadAppPage('no-such-app');
assert.equal(missing.data.app, null);
assert.equal(missing.data.categories.length, 10);
assert.equal(missing.errors?.[0]?.extensions?.code, 'NOT_FOUND');

const { data } = await query<{ apps: { edges: { node: { slug: string; name: string } }[] } }>(
  'query Newest($first: Int) { apps(sort: newest, first: $first) { edges { node { slug name } } } }',
  { first: 1 },
);
const app = data?.apps.edges[0]?.node ?? assert.fail();
assert.equal((await loadAppPage(app.slug)).data.app?.name, app.name);

// Its default error policy throws, and GET needs no further header.
const byGet = new GraphQLClient(`${session.url}/graphql`, { method: 'GET' });
assert.equal((await byGet.request(AppPageDocument, { slug: app.slug })).app?.name, app.name);
await assert.rejects(byGet.request(MyAppsDocument), (error) => hasCode(error, 'UNAUTHENTICATED'));
