import assert from 'node:assert/strict';
import {
  AppPageDocument,
  AppsDocument,
  CreateAppDocument,
  MyAppsDocument,
  UpdateAppDocument,
} from '../project/app/src/documents';
import { hasCode, serviceErrors } from '../project/app/src/errors';
import { session } from '../project/app/src/session';
import { client } from '../project/app/src/urql';
import { createApp } from '../project/app/src/urql-repeat';
import { aListing, tokenOf } from './people';
import { recordRequests } from './requests';

const requests = recordRequests();

// Pages join into one list.
const page = async (after?: string | null) => {
  const { data, error } = await client.query(AppsDocument, { sort: 'name', first: 5, after: after ?? null });
  assert.equal(error, undefined);
  return data?.apps ?? assert.fail();
};
const first = await page();
assert.equal(first.edges.length, 5);
const both = await page(first.pageInfo.endCursor);
assert.equal(new Set(both.edges.map(({ node }) => node.id)).size, 10);
assert.ok(requests.splice(0).every(({ method }) => method === 'GET'));

// A missing app beside other data.
const { data, error } = await client.query(AppPageDocument, { slug: 'no-such-app' });
assert.equal(data?.app, null);
assert.equal(data?.categories.length, 10);
assert.ok(hasCode(error, 'NOT_FOUND'));
assert.deepEqual(serviceErrors(error)[0]?.path, ['app']);

// Mutations change what is shown, without another request.
session.token = await tokenOf('demo-grace');
const before = (await client.query(MyAppsDocument, {})).data?.myApps.length ?? assert.fail();
const created = (await client.mutation(CreateAppDocument, { input: aListing('Urql Counts') })).data
  ?.createApp;
assert.ok(created);
requests.splice(0);
const shown = () => client.readQuery(MyAppsDocument, {})?.data?.myApps;
assert.equal(shown()?.length, before + 1);
assert.equal(shown()?.[0]?.id, created.id);
const { id, revision } = created;
await client.mutation(UpdateAppDocument, { id, input: { name: 'Urql Counts Tasks' }, revision });
assert.equal(shown()?.[0]?.name, 'Urql Counts Tasks');
assert.deepEqual(
  requests.map(({ method }) => method),
  ['POST'],
);
const { error: conflict } = await client.mutation(UpdateAppDocument, {
  id,
  input: { name: 'Too late' },
  revision,
});
assert.ok(hasCode(conflict, 'REVISION_CONFLICT'));

// The same key again makes nothing.
const key = crypto.randomUUID();
const create = async () =>
  (await createApp(aListing('Urql Repeats'), key)).data?.createApp.id ?? assert.fail();
assert.equal(await create(), await create());
